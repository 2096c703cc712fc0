"""Estimated times of the lab's own kernels, for a copy of the labs that lacks their source.

labs/NAME/reference/estimates.json has {"figures": a checksum, "milliseconds": {file: time}}.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from tilelab.estimate.figures import Figures
from tilelab.model.lab import Lab


def file_of(lab: Lab) -> Path:
    return lab.figures.with_name("estimates.json")


def text(milliseconds: Mapping[str, float | None], gpu: Figures) -> str:
    """The file, for the estimates with these figures."""
    data = {"figures": _checksum(gpu), "milliseconds": dict(milliseconds)}
    return json.dumps(data, indent=1) + "\n"


def milliseconds(path: Path, lab: Lab, gpu: Figures) -> float | None:
    """The time of one of the lab's own source files, None if nobody estimated it for this GPU."""
    try:
        data = json.loads(file_of(lab).read_text(encoding="utf-8"))
        found = data["milliseconds"][path.stem]
        same = data["figures"] == _checksum(gpu)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return float(found) if same and isinstance(found, int | float) else None


def _checksum(gpu: Figures) -> str:
    return hashlib.sha256(gpu.text().encode()).hexdigest()

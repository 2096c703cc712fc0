"""Results files, docs/results/GPU.json.

They hold, per lab,
{"machine": {...}, "date", "problems": {title: what the judge measured},
 "scaling": {title: the same for few kernels and many sizes},
 "peers": {title: {name: milliseconds}}}.
"scaling" is missing in older files.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tilelab.base.errors import UserError
from tilelab.base.repository import REPO

RESULTS = REPO / "docs" / "results"

Json = dict[str, Any]


def load(path: Path) -> Json:
    """Reads a results file. Raises UserError if it is not one."""
    try:
        results: Json = json.loads(path.read_text(encoding="utf-8"))
        for one in results.values():
            if not all(isinstance(it, dict) for it in (one["problems"], one.get("scaling", {}))):
                raise ValueError("problems of a lab are no table")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path} is not a results file ({error!r}): remove it and run ./tilelab bench"
        ) from error
    return results


def plot(results: Path, of: str) -> Path:
    """Where the plot of a lab, say, is: in a folder named after the results file."""
    return results.with_suffix("") / f"{of}.svg"


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")

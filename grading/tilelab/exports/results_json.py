"""Writes results.json, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.score.records import Result


def write(path: Path, machine: dict[str, str | None], seed: int, results: Sequence[Result]) -> None:
    """Writes results.json. `tilelab check --seed` repeats a result with the same inputs."""
    record = {
        "schema": 1,
        "machine": machine,
        "seed": seed,
        "submissions": [result.to_json() for result in results],
    }
    write_atomically(path, json.dumps(record, indent=2, ensure_ascii=False) + "\n")

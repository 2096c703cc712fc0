"""Writes results.json, for programs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tilelab.base.files import write_atomically
from tilelab.score.grades import Grade


def write(
    path: Path, machines: Sequence[dict[str, str | None]], seed: int, grades: Sequence[Grade]
) -> None:
    """Writes results.json. `tilelab check --seed` repeats a result with the same inputs."""
    record = {
        "schema": 2,
        "machines": list(machines),
        "seed": seed,
        "submissions": [_submission(grade) for grade in grades],
    }
    write_atomically(path, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def _submission(grade: Grade) -> dict[str, Any]:
    adjustment = grade.adjustment
    return {
        **grade.result.to_json(),
        "submitted": grade.submitted,
        "days_late": grade.days_late,
        "lost_share": grade.lost_share,
        "adjustment": dataclasses.asdict(adjustment) if adjustment else None,
        "final_score": grade.score,
    }

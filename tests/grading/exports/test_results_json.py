"""results.json."""

from __future__ import annotations

import json
from pathlib import Path

from tilelab.exports import results_json
from tilelab.score.records import CriterionResult, Result


def test_results_hold_everything(tmp_path: Path) -> None:
    criterion = CriterionResult("correctness", "partial", 30, 60, ["why"], ("tail",))
    one = Result("amber", "diff", "graded", 30, 100, "ab", [criterion], ["m"], "printed")
    path = tmp_path / "results.json"
    results_json.write(path, {"gpu": None, "backend": "emulator"}, 7, [one])
    data = json.loads(path.read_text())
    assert data == {
        "schema": 1,
        "machine": {"gpu": None, "backend": "emulator"},
        "seed": 7,
        "submissions": [
            {
                "student": "amber",
                "lab": "diff",
                "verdict": "graded",
                "score": 30,
                "max": 100,
                "sha256": "ab",
                "criteria": [
                    {
                        "name": "correctness",
                        "status": "partial",
                        "points": 30,
                        "max": 60,
                        "messages": ["why"],
                    }
                ],
                "messages": ["m"],
            }
        ],
    }

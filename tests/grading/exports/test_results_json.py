"""results.json."""

from __future__ import annotations

import json
from pathlib import Path

from hostile import TEXTS, graded
from tilelab.exports import results_json
from tilelab.model.grade import Adjustment, Grade
from tilelab.model.result import CriterionResult, Result, Rung


def test_results_hold_everything(tmp_path: Path) -> None:
    ladder = (Rung(1.0, "baseline"), Rung(1.5, "your kernel", is_own=True))
    criterion = CriterionResult("correctness", "partial", 30, 60, ["why"], ("tail",), ladder=ladder)
    one = Result("amber", "diff", "graded", 30, 100, "ab", [criterion], ["m"])
    added = Adjustment(2.5, "an oral answer", "lecturer", "2027-03-02T10:00:00Z")
    late = Grade(one, "2027-03-01T10:00:00Z", 1, 0.5, added)
    path = tmp_path / "results.json"
    results_json.write(path, [{"gpu": None, "backend": "emulator"}], 7, [late])
    data = json.loads(path.read_text())
    assert data == {
        "schema": 2,
        "machines": [{"gpu": None, "backend": "emulator"}],
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
                        "ladder": [
                            {"speedup": 1.0, "name": "baseline", "is_own": False},
                            {"speedup": 1.5, "name": "your kernel", "is_own": True},
                        ],
                    }
                ],
                "messages": ["m"],
                "submitted": "2027-03-01T10:00:00Z",
                "days_late": 1,
                "lost_share": 0.5,
                "adjustment": {
                    "points": 2.5,
                    "comment": "an oral answer",
                    "by": "lecturer",
                    "at": "2027-03-02T10:00:00Z",
                },
                "remarks": [],
                "final_score": 17.5,
            }
        ],
    }


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    texts = [text for name, text in TEXTS.items() if name != "control"]  # no lone surrogates
    path = tmp_path / "results.json"
    results_json.write(path, [], 7, [graded(text) for text in texts])
    data = json.loads(path.read_text())
    assert [one["student"] for one in data["submissions"]] == texts
    assert {one["score"] for one in data["submissions"]} == {10}

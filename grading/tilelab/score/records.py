"""What is kept of a run: results.json for programs, gradebook.csv for people."""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tilelab.base.text import points

Status = Literal["pass", "partial", "fail", "not_run"]
Verdict = Literal["graded", "rejected", "compile_error", "missing", "infra_error"]


@dataclass(frozen=True)
class CriterionResult:
    """A row of the score. `patterns`, the ids of its failures, are for `hint`, not for records."""

    name: str
    status: Status
    points: float
    max: float
    messages: list[str] = field(default_factory=list)
    patterns: tuple[str, ...] = ()

    @property
    def falls_short(self) -> bool:
        """Whether it was judged and not passed; what was not run does neither."""
        return self.status in ("partial", "fail")

    def to_json(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "patterns"}


@dataclass(frozen=True)
class Result:
    """One student's one lab. `score` is None only where the machine failed: that is no grade."""

    student: str
    lab: str
    verdict: Verdict
    score: float | None
    max: float
    sha256: str | None = None
    criteria: list[CriterionResult] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    printed: str = ""  # by the submission; shown by `check`, never recorded

    def to_json(self) -> dict[str, Any]:
        return {
            "student": self.student,
            "lab": self.lab,
            "verdict": self.verdict,
            "score": self.score,
            "max": self.max,
            "sha256": self.sha256,
            "criteria": [criterion.to_json() for criterion in self.criteria],
            "messages": self.messages,
        }


def write_results(
    path: Path, machine: dict[str, str | None], seed: int, results: Sequence[Result]
) -> None:
    """Writes results.json; `seed` replays the batch (`tilelab check --seed`)."""
    record = {
        "schema": 1,
        "machine": machine,
        "seed": seed,
        "submissions": [result.to_json() for result in results],
    }
    write_atomically(path, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def write_gradebook(path: Path, labs: Sequence[str], results: Sequence[Result]) -> None:
    """Writes a row per student: a column per lab, and the total.

    A cell is empty where there is no grade, because the machine failed; so is its row's total.
    """
    rows: dict[str, dict[str, Result]] = {}
    for result in results:
        rows.setdefault(result.student, {})[result.lab] = result
    out = io.StringIO(newline="")
    writer = csv.writer(out)  # RFC 4180: CRLF, quotes where needed
    writer.writerow(["student", *labs, "total"])
    for student, by_lab in rows.items():
        scores = [by_lab[lab].score if lab in by_lab else None for lab in labs]
        total = "" if None in scores else points(sum(score or 0 for score in scores))
        cells = ["" if score is None else points(score) for score in scores]
        writer.writerow([guarded(student), *cells, total])
    write_atomically(path, out.getvalue())


def guarded(cell: str) -> str:
    """The cell with a ' before it where a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def write_atomically(path: Path, text: str) -> None:
    """Whoever reads the file meanwhile, or kills us, finds the old one or the new one."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise

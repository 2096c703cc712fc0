"""A class of 200 students, and what their learning systems let an instructor download."""

from __future__ import annotations

import csv
import io
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import downloads
from support import REPO

STUDENTS = 200
COURSE = """\
title = "GPU programming"
time_zone = "Europe/Berlin"
roster = "roster.csv"
[late]
percent_per_day = 10
most_days = 3
[labs.diff]
deadline = 2027-03-01T23:59:00
[labs.diff.points]
correctness = 50
"""
SOLUTIONS = REPO / "solutions" / "diff"


@dataclass(frozen=True)
class Pupil:
    """A student who hands in this text, if any, this many days late."""

    number: int
    text: str | None
    days_late: int

    @property
    def id(self) -> str:
        return f"{self.number:05}"

    @property
    def name(self) -> str:
        return f"Student Number{self.number}"


def pupils() -> list[Pupil]:
    """Some hand in the same text, one in twenty nothing, one in ten late."""
    chosen = random.Random(2027)
    texts = _texts()
    return [
        Pupil(
            number,
            None if chosen.random() < 0.05 else chosen.choice(texts),
            chosen.randint(1, 4) if chosen.random() < 0.1 else 0,
        )
        for number in range(STUDENTS)
    ]


def roster(all_of_them: list[Pupil]) -> str:
    rows = io.StringIO(newline="")
    writer = csv.writer(rows)
    writer.writerow(["student", "name", "email", "id"])
    for one in all_of_them:
        writer.writerow([one.id, one.name, f"{one.id}@uni.edu", one.id])
    return rows.getvalue()


def canvas_gradebook(all_of_them: list[Pupil]) -> str:
    rows = [f'"{one.name}",{one.number},{one.id},A,' for one in all_of_them]
    head = ["Student,ID,SIS User ID,Section,Adjacent difference (77)", "    Points Possible,,,,110"]
    return "\r\n".join([*head, *rows, ""])


def blackboard_gradebook(all_of_them: list[Pupil]) -> str:
    rows = [f'"Number{one.number}","Student","{one.id}",""' for one in all_of_them]
    head = '"Last Name","First Name","Username","diff [Total Pts: 110 Score] |12345"'
    return "\n".join([head, *rows, ""])


def blackboard(path: Path, some: list[Pupil]) -> Path:
    files: dict[str, str | bytes] = {}
    for one in (one for one in some if one.text):
        name = f"Lab 1_{one.id}_attempt_2027-03-{1 + one.days_late:02}-20-00-00"
        files[f"{name}.txt"] = f"Name: {one.name} ({one.id})\nAssignment: Lab 1\n"
        files[f"{name}_diff-2.cu"] = one.text or ""
    return downloads.zip_of(path, files)


def gradescope(path: Path, some: list[Pupil]) -> Path:
    files: dict[str, str | bytes] = {}
    metadata = ["---"]
    for one in (one for one in some if one.text):
        metadata += [
            f"submission_{one.number}:",
            "  :submitters:",
            f"  - :name: {one.name}",
            f"    :sid: '{one.id}'",
            f"  :created_at: 2027-03-{1 + one.days_late:02} 20:00:00.000000000 Z",
        ]
        files[f"assignment_7_export/submission_{one.number}/src/Diff.cu"] = one.text or ""
    files["assignment_7_export/submission_metadata.yml"] = "\n".join(metadata) + "\n"
    return downloads.zip_of(path, files)


def clones(folder: Path, some: list[Pupil]) -> Path:
    folder.mkdir()
    for one in (one for one in some if one.text):
        when = f"2027-03-{1 + one.days_late:02}T20:00:00 +0100"
        clone = downloads.folder_of(
            folder / f"gpu-lab-{one.id}", {"labs/diff/diff.cu": one.text or ""}
        )
        identity = ["-c", "user.name=x", "-c", "user.email=x@uni.edu"]
        for words in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "work"]):
            subprocess.run(
                ["git", "-C", clone, *words],
                env={"PATH": "/usr/bin:/bin", "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when},
                check=True,
            )
    return folder


def _texts() -> list[str]:
    """Good, wrong and hostile files, with a comment that makes them this class's own."""
    mistakes = sorted((SOLUTIONS / "mistakes").glob("*.cu"))[:8]
    files = [SOLUTIONS / "diff.cu", REPO / "labs" / "diff" / "baseline.cu", *mistakes]
    texts = [path.read_text() for path in files]
    texts += [
        "this does not compile\n",
        '#include "diff.h"\nvoid diff(const int* in, int* out, int n) { for (;;); }\n',
        '#include "diff.h"\nvoid diff(const int* in, int* out, int n) { out[n] = in[0]; }\n',
        '#include <fstream>\n#include "diff.h"\nvoid diff(const int*, int*, int) {}\n',
    ]
    return [f"// spring 2027\n{text}" for text in texts]

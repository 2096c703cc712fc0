"""A class of 60 that never was: its files are our own solutions and mistakes, really graded."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tilelab.base.repository import REPO
from tilelab.model.student import Student
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import Collected, Handed

LABS = ("diff", "nearest_neighbor", "nbody")
FOLDER = REPO / "build" / "screens" / "class"
RESULTS = REPO / "build" / "screens" / "class_results"
COURSE = REPO / "build" / "screens" / "course.toml"

_COURSE = """title = "GPU programming, made-up class"
time_zone = "UTC"

[late]
percent_per_day = 10
most_days = 3

[labs.diff]
deadline = 2027-03-01T12:00:00

[labs.nearest_neighbor]
deadline = 2027-03-15T12:00:00

[labs.nbody]
deadline = 2027-03-29T12:00:00
"""

_DUE = {"diff": "2027-03-01", "nearest_neighbor": "2027-03-15", "nbody": "2027-03-29"}

_FIRST = "Ada Ben Cleo Dan Eva Finn Gina Hugo Ida Jon Kira Leo Mia Nils Ola Pia Quinn Rosa Sam Tara"
_LAST = "Alder Birch Cedar"

# Nobody compiles this one.
_TYPO = REPO / "grading" / "sample_class" / "clover" / "diff.cu"


def results() -> Path:
    """The folder with the record. What it already knows is not graded again."""
    files = list(_hand_in())
    class_folder.write_notes(FOLDER, Collected(_students(), files))
    COURSE.write_text(_COURSE, encoding="utf-8")
    _tilelab("grade", str(FOLDER), "--out", str(RESULTS), "--course", str(COURSE), "--seed", "7")
    comment = "Explained the race well in the interview."
    _tilelab(*("adjust", "ben_alder/diff", "--points", "5"), *("--comment", comment, *_out()))
    _tilelab("feedback", "--hints", "--course", str(COURSE), *_out())
    _tilelab("report", *_out())
    return RESULTS


def _students() -> list[Student]:
    names = [f"{first} {last}" for last in _LAST.split() for first in _FIRST.split()]
    return [Student(name.lower().replace(" ", "_"), name) for name in names]


def _hand_in() -> Iterator[Handed]:
    """Copies a file for most students and labs, the same ones each time."""
    chance = random.Random(60)
    shutil.rmtree(FOLDER, ignore_errors=True)
    for student in _students():
        (FOLDER / student.key).mkdir(parents=True)
        for lab in LABS:
            file = _choose(lab, chance)
            hour = f"{chance.randint(8, 11):02}:{chance.randint(10, 59)}"
            day = chance.choice((-2, -1, -1, 0, 0, 0, 0, 0, 1, 2))
            if file is None:
                continue
            (FOLDER / student.key / f"{lab}.cu").write_text(_without_its_head(file, lab))
            month, due = _DUE[lab].rsplit("-", 1)
            number = int(due) + max(day, 1 - int(due))
            yield Handed(student.key, lab, f"{month}-{number:02}T{hour}:00+00:00", f"{lab}.cu")


def _without_its_head(file: Path, lab: str) -> str:
    """The text of a file of ours, without the comment that says what is wrong with it."""
    text = file.read_text(encoding="utf-8")
    if file == _skeleton(lab):
        return text
    lines = text.splitlines(keepends=True)
    return "".join(
        itertools.dropwhile(lambda line: line.startswith("//") or not line.strip(), lines)
    )


def _choose(lab: str, chance: random.Random) -> Path | None:
    solutions = REPO / "solutions" / lab
    kind = chance.choices(
        ("reference", "ladder", "mistakes", "skeleton", "typo", "missing"), (12, 24, 48, 4, 5, 7)
    )[0]
    if kind == "missing":
        return None
    if kind == "typo" and lab == "diff":
        return _TYPO
    if kind == "skeleton":
        return _skeleton(lab)
    if kind in ("ladder", "mistakes"):
        return chance.choice(sorted((solutions / kind).glob("*.cu")))
    return solutions / f"{lab}.cu"


def _skeleton(lab: str) -> Path:
    return REPO / "labs" / lab / f"{lab}.cu"


def _out() -> tuple[str, str]:
    return "--out", str(RESULTS)


def _tilelab(*words: str) -> None:
    subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", *words],
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO / "grading")},
        stdout=subprocess.DEVNULL,
        check=True,
    )

"""Writes the page about the first use, from the rows that were measured."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "first_hour"))

from machine import machine

TIMED = {
    "grade": "clone to the end of `./tilelab grade`",
    "test": "clone to the end of `./tilelab test`",
    "test again": "`./tilelab test`, everything built",
    "wheel": "wheel to the first verdict",
}
HEAD = """\
# How long the first use takes

Bare systems, each in a folder of its own (`debootstrap --variant=minbase`).
The machine has {machine},
and did nothing else. What is missing is installed on the way, so the times
include downloads from the package indexes. `wheel` begins in a system with g++
and python3-venv, makes an environment, installs the wheel, and ends with the
verdict on the solution of `diff`.

`python3 tests/measure/first_use/first_use.py` measures and writes this page;
[first_use.csv](first_use.csv) has its rows.

| what | system | version | seconds | processor seconds |
| --- | --- | --- | ---: | ---: |
"""


def write(rows: Path) -> None:
    with rows.open(newline="", encoding="utf-8") as file:
        found = [row for row in csv.DictReader(file) if row["status"] == "0"]
    found.sort(key=lambda row: ([*TIMED].index(row["what"]), row["system"]))
    lines = [
        f"| {TIMED[row['what']]} | {row['system']} | `{row['version']}` | {row['seconds']} "
        f"| {row['processor_seconds']} |\n"
        for row in found
    ]
    text = HEAD.format(machine=machine()) + "".join(lines)
    rows.with_suffix(".md").write_text(text, encoding="utf-8")

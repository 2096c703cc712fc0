"""Counts which mutants of our own kernels lose points.

    ./tilelab measure mutants [LAB ...]

Takes minutes on many cores. tests/grading/mutants.py makes the mutants, and
tests/grading/verify/survivors.toml says why some survive. Writes docs/results/mutants.csv, and the
page that it makes.
"""

from __future__ import annotations

import os
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tables
from machine import machine
from tables import Row, Table, filled, line
from tilelab.base.repository import REPO
from tilelab.labs import lab
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session

sys.path.insert(0, str(REPO / "tests" / "grading"))
from mutants import mutants, points

ROWS = tables.RESULTS / "mutants.csv"
SURVIVORS = REPO / "tests" / "grading" / "verify" / "survivors.toml"

HEAD = """\
# Mutants of our own kernels

A mutant is a reference solution or a ladder step with one thing less: a barrier, fence, wait or
commit is removed, moved by one statement or narrowed in scope, a guard lets all threads in, an
atomic operation becomes a plain one, a `volatile` is gone. The mutant should lose points for
correctness, safety or memory on the emulator. `./tilelab measure mutants` counts that.

"""


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("labs", nargs="*", default=lab.all_labs())
    names = parser.parse_args().labs
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        session = Session([toolchain.prepare("emulator")], seed=20).of_own_files()
        rows = [row for name in names for row in _of_lab(name, session, Path(folder))]
    kept = [row for row in tables.rows(ROWS) if row["lab"] not in names]
    course = [one.name for one in lab.course()]
    ordered = sorted([*kept, *rows], key=lambda row: course.index(row["lab"]))
    tables.publish(ROWS, Table({"machine": machine()}, ordered), page)


def _of_lab(name: str, session: Session, folder: Path) -> list[Row]:
    of = lab.load(name)
    rows = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in (of.reference, *of.ladder):
            text = path.read_text(encoding="utf-8")
            texts = [text, *(one.text for one in mutants(text))]
            asked = pool.map(lambda one: points(one, of, session, folder), texts)
            whole, *others = list(asked)
            lost = sum(one < whole for one in others)
            file = str(path.relative_to(of.solutions))
            rows.append({"lab": name, "file": file, "mutants": len(others), "lose points": lost})
    return [{key: str(value) for key, value in row.items()} for row in rows]


def page(table: Table) -> str:
    text = HEAD + line("lab", "files", "mutants", "lose points", "survive") + "\n"
    text += line("---", *["---:"] * 4) + "\n"
    for name, rows in table.by("lab").items():
        text += _line(name, rows)
    text += _line("*all*", table.rows) + "\nThose that survive, by the reason:\n\n"
    for group in tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivors"]:
        count = sum(len(some) for name, some in group.items() if name != "reason")
        text += filled(f"- {count}: {group['reason']}") + "\n"
    return text + f"\n- machine: {table.facts['machine']}\n"


def _line(name: str, rows: Sequence[Row]) -> str:
    made = sum(int(row["mutants"]) for row in rows)
    lost = sum(int(row["lose points"]) for row in rows)
    return line(name, len(rows), made, lost, made - lost) + "\n"


if __name__ == "__main__":
    main()

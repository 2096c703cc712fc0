"""Counts the data races that are found in suites of others.

    ./tilelab measure races_elsewhere [--suite NAME] [--part I/N] [--seconds N]

The suites are fetched to build/suites. Each program runs once per input, with the same seed.
`--part 2/8` runs every eighth program, from the second on: rows of other programs are kept, so
several runs add up. Writes docs/results/races_elsewhere.csv, and the page that it makes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tables
from machine import machine
from page import NO_RACE, NOT_COMPILED, OUT_OF_BOUNDS, OUT_OF_TIME, RACE, page
from suites import SUITES, Program
from tables import Row, Table
from tilelab.base import process
from tilelab.base.errors import CompileError
from tilelab.programs import compiling, running, tools
from tilelab.programs.compiling import Sources
from tilelab.programs.running import Watch
from tilelab.programs.tools import Tools

ROWS = tables.RESULTS / "races_elsewhere.csv"
_STUCK_AFTER = 60.0


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("--suite", choices=SUITES, action="append")
    parser.add_argument("--part", default="1/1", metavar="I/N")
    parser.add_argument("--seconds", type=float, default=120, help="for each run")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.part.split("/"))
    tool = tools.prepare("emulator")
    measured: list[Row] = []
    inputs = {}
    for name in arguments.suite or SUITES:
        suite = SUITES[name]
        programs = list(suite.programs(suite.folder(name)))
        inputs[f"inputs of {name}"] = " ".join(programs[0].inputs)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            asked = pool.map(
                lambda one: _ask(one, tool, arguments.seconds), programs[part - 1 :: parts]
            )
            measured += [{"suite": name, **row} for row in asked]
    publish(measured, inputs)


def publish(measured: Sequence[Row], inputs: Mapping[str, str]) -> None:
    """Adds the rows to those that are there."""
    new = {_key(row) for row in measured}
    old = tables.read(ROWS) if ROWS.is_file() else Table({}, [])
    rows = sorted([*(row for row in old.rows if _key(row) not in new), *measured], key=_key)
    tables.publish(ROWS, Table({**old.facts, **inputs, "machine": machine()}, rows), page)


def _key(row: Row) -> tuple[str, ...]:
    return row["suite"], row["program"]


def _ask(program: Program, tool: Tools, seconds: float) -> Row:
    """What is found with each input, a letter each."""
    with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
        work = Path(name)
        made = _compiled(program, tool, work)
        results = [_letter(made, given, tool, work, seconds) for given in program.inputs.values()]
    racy = "yes" if program.racy else "no"
    return {"program": program.name, "racy": racy, "results": "".join(results)}


def _compiled(program: Program, tool: Tools, work: Path) -> Path | None:
    source = work / "program.cu"
    source.write_text(program.source, encoding="utf-8")
    flags = [f"-I{folder}" for folder in program.include]
    try:
        return compiling.compile_program(Sources((source,), flags), tool, work, checked=True)
    except CompileError:
        return None


def _letter(
    made: Path | None, arguments: Sequence[str], tool: Tools, work: Path, seconds: float
) -> str:
    if made is None:
        return NOT_COMPILED
    report = work / "report"
    report.unlink(missing_ok=True)
    finished = process.run(
        ["timeout", "--kill-after=15", f"{seconds:g}", made, *arguments],
        seconds=seconds + 30,
        env=running.environment(Watch(_STUCK_AFTER, checked=True), report, tool),
        keep=1 << 16,
    )
    found = running.described(made, report, tool).findings if report.exists() else ()
    kinds = {one.text.partition(":")[0] for one in found if not one.note}
    if "Data race" in kinds:
        return RACE
    if "Out of bounds" in kinds:
        return OUT_OF_BOUNDS
    return OUT_OF_TIME if finished.timed_out or finished.status in (124, 137) else NO_RACE


if __name__ == "__main__":
    main()

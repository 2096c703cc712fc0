"""Asks the checked build about suites of racy kernels that others published.

    ./tilelab measure races/elsewhere [--suite NAME] [--part I/N] [--seconds N]

The suites are fetched to build/suites. Each program runs once per input, with the same seed.
`--part 2/8` runs every eighth program, from the second on: rows of other parts are kept, so several
runs add up. Writes docs/results/races_elsewhere.csv, and the page that it makes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tables
from machine import machine
from page import page
from suites import SUITES, Case
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
    measured = []
    for name in arguments.suite or SUITES:
        suite = SUITES[name]
        inputs: dict[str, list[tuple[str, Case]]] = {}
        for given, case in suite.cases(suite.folder(name)):
            inputs.setdefault(case.name, []).append((given, case))
        chosen = [inputs[one] for one in sorted(inputs)[part - 1 :: parts]]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for rows in pool.map(lambda one: list(_ask(one, tool, arguments.seconds)), chosen):
                measured += [{"suite": name, **row} for row in rows]
    new = {_key(row) for row in measured}
    kept = [row for row in tables.rows(ROWS) if _key(row) not in new]
    rows = sorted([*kept, *measured], key=_key)
    tables.publish(ROWS, Table({"machine": machine()}, rows), page)


def _key(row: Row) -> tuple[str, ...]:
    return row["suite"], row["input"], row["program"]


def _ask(cases: list[tuple[str, Case]], tool: Tools, seconds: float) -> Iterator[Row]:
    """A row for each input of one program, which is compiled once."""
    with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
        work = Path(name)
        program, why = _compiled(cases[0][1], tool, work)
        for given, case in cases:
            found, ending = _found(program, case, tool, work, seconds) if program else ("", why)
            racy = "yes" if case.racy else "no"
            yield {
                "input": given,
                "program": case.name,
                "racy": racy,
                "found": found,
                "ending": ending,
            }


def _compiled(case: Case, tool: Tools, work: Path) -> tuple[Path | None, str]:
    source = work / "program.cu"
    source.write_text(case.source, encoding="utf-8")
    flags = [f"-I{folder}" for folder in case.include]
    try:
        return compiling.compile_program(Sources((source,), flags), tool, work, checked=True), ""
    except CompileError:
        return None, "does not compile"


def _found(program: Path, case: Case, tool: Tools, work: Path, seconds: float) -> tuple[str, str]:
    """The kinds of findings, and how the program ended."""
    report = work / "report"
    report.unlink(missing_ok=True)
    finished = process.run(
        ["timeout", "--kill-after=15", f"{seconds:g}", program, *case.arguments],
        seconds=seconds + 30,
        env=running.environment(Watch(_STUCK_AFTER, checked=True), report, tool),
        keep=1 << 16,
    )
    kinds = set()
    if report.exists():
        described = running.described(program, report, tool).findings
        kinds = {one.text.partition(":")[0] for one in described if not one.note}
    out_of_time = finished.timed_out or finished.status in (124, 137)
    ending = "out of time" if out_of_time else f"status {finished.status}"
    return "; ".join(sorted(kinds)), ending


if __name__ == "__main__":
    main()

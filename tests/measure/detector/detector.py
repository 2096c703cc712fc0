"""Compares what the checked build and compute-sanitizer find.

    ./tilelab measure detector

The cases are those of tests/common/emulator/detector. That the checked build says of each what it
should is what checked_detector_test holds it to. What compute-sanitizer said is in
sanitizer_h200.csv, which ask_sanitizer.py measured on a GPU. Writes docs/results/detector.md.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

import tables
from tilelab.base.files import write_atomically
from tilelab.base.repository import REPO

CASES = REPO / "tests" / "common" / "emulator" / "detector"
SANITIZER = CASES / "sanitizer_h200.csv"
PAGE = tables.RESULTS / "detector.md"

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
_CASE = re.compile(r"^DETECTOR_CASE\(\s*(\w+),\s*(\w+)\s*\);", re.MULTILINE)
# Cases whose finding depends on how they are compiled have a macro of their own, in rows.cu.
_ROW = re.compile(r"^ROW_CASE\((\w+)\);", re.MULTILINE)
HEAD = """\
# What the checked build finds, and compute-sanitizer

Small kernels with and without a mistake, by the files of `tests/common/emulator/detector`. The
checked build says of each what it should, in several orders of the threads: that is what
`checked_detector_test` tests. compute-sanitizer was asked about most of them; a case counts as
found if one of its tools reports anything. Its racecheck looks at shared memory only, so most races
in global memory are missing by design. Cases that deserve a note, not an error, are left out.

`./tilelab measure detector` writes this page from what `ask_sanitizer.py` measured.

| cases | with a mistake | found by the checked build | asked compute-sanitizer | found by it \
| without a mistake | false alarms of the checked build | asked | false alarms |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


@dataclass
class Row:
    """The cases of a file: those with a mistake, and those without."""

    faulty: list[str] = field(default_factory=list)
    clean: list[str] = field(default_factory=list)


def cases() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for path in sorted(CASES.glob("*.cu")):
        text = path.read_text(encoding="utf-8")
        for name, expected in [*_CASE.findall(text), *((one, "row") for one in _ROW.findall(text))]:
            if expected == "note_same_value":
                continue
            row = found.setdefault(path.stem, Row())
            (row.clean if expected == "none" else row.faulty).append(name)
    return found


def answers() -> tuple[dict[str, dict[str, bool]], list[str]]:
    """Whether each tool reported something in a case, if it was asked; and the machine."""
    table = tables.read(SANITIZER)
    told: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in table.rows:
        told[row["case"]][row["tool"]] = row["errors"] != "0" or row["warnings"] != "0"
    machine = ("GPU", "driver", "CUDA", "compute-sanitizer", "date")
    return told, [f"{name}: {table.facts[name]}" for name in machine]


def page() -> str:
    told, machine = answers()
    rows, missed, alarms = [], [], []
    total = [0] * 8
    for name, row in cases().items():
        asked = [case for case in row.faulty if case in told]
        found = [case for case in asked if any(told[case].values())]
        asked_clean = [case for case in row.clean if case in told]
        wrong = [case for case in asked_clean if any(told[case].values())]
        missed += [f"`{case}`" for case in asked if case not in found]
        alarms += [f"`{case}` ({', '.join(who(told[case]))})" for case in wrong]
        numbers = [len(row.faulty), len(row.faulty), len(asked), len(found)]
        numbers += [len(row.clean), 0, len(asked_clean), len(wrong)]
        total = [a + b for a, b in zip(total, numbers, strict=True)]
        rows.append(f"| `{name}.cu` | {' | '.join(map(str, numbers))} |")
    rows.append(f"| *all* | {' | '.join(map(str, total))} |")
    asked_of = {tool: sum(tool in each for each in told.values()) for tool in TOOLS}
    shares = ", ".join(f"{tool} {count}" for tool, count in asked_of.items())
    return "\n".join(
        [
            *(HEAD, *rows, ""),
            f"How many cases each tool was asked about: {shares}.",
            "",
            f"Mistakes that it does not report: {', '.join(missed)}.",
            "",
            f"False alarms: {', '.join(alarms)}.",
            "",
            *(f"- {line}" for line in machine),
            "",
        ]
    )


def who(tools: dict[str, bool]) -> list[str]:
    return [tool for tool in TOOLS if tools.get(tool)]


if __name__ == "__main__":
    tables.parser(__doc__).parse_args()
    write_atomically(PAGE, page())

"""The page about the first use."""

from __future__ import annotations

import tables
from tables import Table

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
and did nothing else. But it shares its host with other machines, so its speed
changes from day to day: compare rows of one day. What is missing is installed
on the way, so the times include downloads from the package indexes.
`wheel` begins in a system with g++ and python3-venv, makes an environment,
installs the wheel, and ends with the verdict on the solution of `diff`.

`./tilelab measure first_use` measures and writes this page;
[first_use.csv](first_use.csv) has its rows.

| what | system | day | version | seconds | processor seconds |
| --- | --- | --- | --- | ---: | ---: |
"""


def page(table: Table) -> str:
    found = [row for row in table.rows if row["status"] == "0"]
    found.sort(key=lambda row: ([*TIMED].index(row["what"]), row["system"], row["day"]))
    lines = [
        tables.line(
            TIMED[row["what"]],
            row["system"],
            row["day"],
            f"`{row['version']}`",
            row["seconds"],
            row["processor_seconds"],
        )
        for row in found
    ]
    return HEAD.format(machine=table.facts["machine"]) + "\n".join([*lines, ""])

"""Replays a newcomer's first hour, up to full marks.

    ./tilelab measure first_hour

Makes the edits of hour.toml in a clone of what was committed, runs its commands in a terminal of
80 x 24, and writes docs/first_hour.md. Takes about five minutes, most of them for the first build.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import terminal
from clone import REPO, clone, file_of
from edits import edited, shown
from machine import is_busy, machine
from tables import filled, parser
from terminal import Screen, Terminal
from tilelab.base.files import write_atomically

HERE = Path(__file__).resolve().parent

PAGE = REPO / "docs" / "first_hour.md"
STEPS = HERE / "hour.toml"

HEAD = """\
# A first hour

Somebody who knows C but not CUDA clones TileLab, and gets to full marks in
[`first_kernel`](../labs/first_kernel/README.md) and then in
[`diff`](../labs/diff/README.md). They make the mistakes that newcomers make,
and follow what the tool and the handouts say. Each step shows the edit, the
command, the screen, and what the newcomer does next.

    git clone REPOSITORY tilelab
    cd tilelab
"""

FOOT = """\
## How this page was made

    ./tilelab measure first_hour

made each edit in a fresh clone, ran the commands in a terminal of 80 x 24 and
copied its screens. It stops if a screen is longer, or a line wider.

{measured}

[Every verdict](verdicts.md) shows all that `check` can say.
"""


@dataclass(frozen=True)
class Step:
    """An edit of the lab's file, a command, and what the newcomer does after it."""

    lab: str
    title: str
    command: str
    says: str
    change: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Taken:
    """A step, what its edit changed, and the screen."""

    step: Step
    edit: str
    screen: Screen


def steps() -> list[Step]:
    return [Step(**one) for one in tomllib.loads(STEPS.read_text(encoding="utf-8"))["steps"]]


def take(all_steps: list[Step], root: Path) -> Iterator[Taken]:
    """Takes the steps in a clone. Raises ValueError if a screen cannot be read at a glance."""
    with Terminal(root) as shell:
        for step in all_steps:
            file = file_of(root, step.lab)
            before = file.read_text(encoding="utf-8")
            after = edited(before, step.change)
            file.write_text(after, encoding="utf-8")
            screen = shell.run(step.command)
            if screen.problem:
                raise ValueError(f"{step.title}: {screen.problem}\n{screen.text}")
            yield Taken(step, shown(before, after), screen)


def page(taken: list[Taken]) -> str:
    parts = [HEAD]
    for number, one in enumerate(taken, 1):
        parts.append(f"## {number}. {one.step.title}\n")
        if one.edit:
            parts.append(f"In `labs/{one.step.lab}/{one.step.lab}.cu`:\n")
            parts.append(f"```diff\n{one.edit}\n```\n")
        parts += [f"```text\n{one.screen.text}\n```\n", f"{filled(one.step.says)}\n"]
    return "\n".join([*parts, foot(taken)])


def foot(taken: list[Taken]) -> str:
    """How the page was made, and how long the checks took. The first one builds the tests."""
    first, *others = [one.screen.seconds for one in taken if " check " in one.step.command]
    measured = (
        f"The machine was {machine()}. The first check, which builds the tests, took {first:.0f} "
        f"s, the others took {min(others):.0f} to {max(others):.0f} s."
    )
    if is_busy():
        measured += " The machine had other work at the same time."
    return FOOT.format(measured=filled(measured))


def main() -> None:
    parser(__doc__).parse_args()
    terminal.require()
    taken = []
    with clone() as root:
        for one in take(steps(), root):
            print(f"{one.step.title}: {one.screen.seconds:.1f} s", flush=True)
            taken.append(one)
    write_atomically(PAGE, page(taken))
    print(f"Wrote {PAGE.relative_to(REPO)}")


if __name__ == "__main__":
    main()

"""Writes the README.md of the students' repository."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence

from tilelab.base.text import counted, one_line, points
from tilelab.model.course import Course, Late
from tilelab.model.lab import Lab
from tilelab.publish import worth

_MARKUP = re.compile(r"[\\`*_\[\]<>&#|~$]")

_INTRODUCTION = """
You write CUDA kernels, and `check` says what is wrong with them, where, and
what to do next. A GPU is welcome and not needed: without one, your kernels run
on an emulator, and only speed is not tested.

    ./tilelab           # where you are in the course, and what to do next
    ./tilelab check {first}

The first command says what is missing on Debian 12, Debian 13 and Ubuntu 24.04,
and asks before it installs packages. {about_tests}

For each lab, read the handout, edit `labs/LAB/LAB.cu`, and run
`./tilelab check LAB`. You hand in that one file.
"""

_BUILT = """\
The tests are in `wheels`, already
built. A machine that they were not built for builds them again, and says why."""
_NOT_BUILT = """\
The first check also builds the
tests, which takes a minute or more."""

_GUIDES = """
- [Student guide](docs/student.md): how to read what you see
- [Run your own program](docs/run.md): any CUDA program, without a GPU
- [Glossary](docs/glossary.md): the field's words
- [Every verdict](docs/verdicts.md): what `check` can say
"""

_ABOUT_SOLUTIONS = """
This copy has no solutions. `labs/LAB/reference` holds what `check` compares
your kernels with, so it gives the points that your instructor will see.

[AGENTS.md](AGENTS.md) tells language models how to help you: with questions and
hints. `./tilelab viva LAB` asks whether you understand your own file.

[TileLab](docs/architecture.md) is under the MIT license.
"""


def text(labs: Sequence[Lab], course: Course, *, has_wheel: bool) -> str:
    """The page for these labs, in their order, with the points and deadlines of the course."""
    about_tests = _BUILT if has_wheel else _NOT_BUILT
    has_deadlines = any(_deadline(one, course) for one in labs)
    parts = [
        f"# {_plain(course.title) or 'TileLab'}",
        _INTRODUCTION.format(first=labs[0].name, about_tests=about_tests).strip(),
        "## The labs",
        "\n".join(_table(labs, course)),
        *_about_left_out(labs),
        *([_about_late(course.late)] if course.late and has_deadlines else []),
        "## Where to read on",
        _GUIDES.strip(),
        _ABOUT_SOLUTIONS.strip(),
    ]
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """A line of Markdown in which nothing is markup."""
    return _MARKUP.sub(r"\\\g<0>", one_line(text))


def _table(labs: Sequence[Lab], course: Course) -> list[str]:
    deadlines = {one.name: _deadline(one, course) for one in labs}
    has_deadlines = any(deadlines.values())
    header = ["lab", "what it is about", "points", *(["hand in by"] if has_deadlines else [])]
    rows = [header, ["---"] * len(header)]
    for one in labs:
        row = [
            f"[`{one.name}`](labs/{one.name}/README.md)",
            one.title,
            f"{points(one.max_points)}: {worth.each(one)}",
        ]
        rows.append([*row, *([deadlines[one.name]] if has_deadlines else [])])
    return [f"| {' | '.join(row)} |" for row in rows]


def _about_left_out(labs: Sequence[Lab]) -> Iterator[str]:
    """A sentence about criteria that the handouts speak of, and that the course gives no points."""
    gone = [f"{name} in `{lab.name}`" for lab in labs for name in worth.left_out(lab)]
    if gone:
        yield f"No points in this course, whatever a handout says: {', '.join(gone)}."


def _about_late(late: Late) -> str:
    minutes = late.grace.total_seconds() / 60
    within = "a minute" if minutes == 1 else f"{points(minutes)} minutes"
    grace = f" Files up to {within} late count as in time." * (minutes > 0)
    if late.most_days == 0:
        return f"A late file gets no points.{grace}"
    each = f"{points(100 * late.share_per_day)}% of its points for each day that has begun"
    return f"A late file loses {each}, and all after {counted(late.most_days, 'day')}.{grace}"


def _deadline(lab: Lab, course: Course) -> str:
    assignment = course.assignments.get(lab.name)
    if assignment is None or assignment.deadline is None:
        return ""
    return f"{assignment.deadline.astimezone(course.time_zone or datetime.UTC):%Y-%m-%d %H:%M %Z}"

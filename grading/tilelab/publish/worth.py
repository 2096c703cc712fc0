"""Says what a lab's criteria are worth in a course, in the handouts and on the front page."""

from __future__ import annotations

from tilelab.base.text import points
from tilelab.labs.lab import load
from tilelab.model.lab import Lab

_HEADING = "## What you get points for\n"


def each(lab: Lab) -> str:
    """The points of each criterion: "correctness 40, safety 10"."""
    return ", ".join(f"{one.name} {points(one.points)}" for one in lab.criteria)


def left_out(lab: Lab) -> list[str]:
    """The criteria that the handout speaks of, and that the course gives no points."""
    own = {one.name for one in lab.criteria}
    return [one.name for one in load(lab.name, lab.repo).criteria if one.name not in own]


def handout(text: str, lab: Lab) -> str:
    """The handout, with a paragraph about the points if the course has other ones than the lab."""
    its_own = load(lab.name, lab.repo)
    if each(its_own) == each(lab):
        return text
    gone = left_out(lab)
    also = f" There are none for {' and '.join(gone)}, whatever this page says." if gone else ""
    says = f"In this course, the lab has {points(lab.max_points)} points: {each(lab)}.{also}\n"
    if _HEADING not in text:
        return f"{text.rstrip()}\n\n{_HEADING}\n{says}"
    return text.replace(_HEADING, f"{_HEADING}\n{says}", 1)

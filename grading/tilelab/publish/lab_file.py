"""Writes the points of a course into the text of a lab.toml, and leaves the rest as it is."""

from __future__ import annotations

import re

from tilelab.model.lab import Lab

_TABLE = re.compile(r"\s*\[(?:criteria\.(?P<criterion>\w+))?")
_POINTS = re.compile(r"(\s*points\s*=\s*)[\d.eE+_-]+")


def with_points(text: str, lab: Lab) -> str:
    """The text of `lab`'s lab.toml with the points that `lab` has."""
    worth = {criterion.name: criterion.points for criterion in lab.criteria}
    lines = text.split("\n")
    criterion = None
    for number, line in enumerate(lines):
        if table := _TABLE.match(line):
            criterion = table["criterion"]
        elif criterion in worth:
            lines[number] = _POINTS.sub(rf"\g<1>{worth[criterion]:.12g}", line)
    return "\n".join(lines)

"""Writes the points of a course into the text of a lab.toml, and leaves the rest as it is.

The table of a criterion without points is left out.
"""

from __future__ import annotations

import re

from tilelab.model.lab import Lab

_TABLE = re.compile(r"\s*\[(?:criteria\.(?P<criterion>\w+))?")
_POINTS = re.compile(r"(\s*points\s*=\s*)[\d.eE+_-]+")


def with_points(text: str, lab: Lab) -> str:
    """The text of `lab`'s lab.toml with the points and the criteria that `lab` has."""
    worth = {criterion.name: criterion.points for criterion in lab.criteria}
    lines: list[str] = []
    criterion = None
    for line in text.split("\n"):
        if table := _TABLE.match(line):
            criterion = table["criterion"]
            if criterion and criterion not in worth:
                _drop_comment(lines)
        if criterion in worth:
            lines.append(_POINTS.sub(rf"\g<1>{worth[criterion]:.12g}", line))
        elif criterion is None or line.startswith("#") or not line:
            lines.append(line)
    return "\n".join(lines)


def _drop_comment(lines: list[str]) -> None:
    """Removes the comment right above a table that is left out."""
    while lines and lines[-1].startswith("#"):
        lines.pop()

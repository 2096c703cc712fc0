"""The points that a course gives for a lab: other ones, fewer criteria, another total."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tilelab.model.course import Assignment
from tilelab.model.lab import Lab


def of_course(lab: Lab, assignment: Assignment) -> Lab:
    """The lab with the points of a course, without the criteria that get none."""
    worth = _worth(lab, assignment)
    criteria = tuple(
        replace(
            one,
            points=worth[one.name],
            after=tuple(name for name in one.after if worth[name]),
        )
        for one in lab.criteria
        if worth[one.name]
    )
    return replace(lab, criteria=criteria)


def assert_usable(lab: Lab, assignment: Assignment, where: str) -> None:
    """Raises ValueError if these points cannot be given. `where` is the table in the file."""
    for name, number in assignment.points.items():
        if round(number, 2) != number:
            raise ValueError(f"{where}points.{name} must have no more than two decimals")
    if assignment.total is not None and round(assignment.total, 2) != assignment.total:
        raise ValueError(f"{where}total must have no more than two decimals")
    worth = _worth(lab, assignment)
    if not any(worth.values()):
        raise ValueError(f"{where}points: at least one criterion needs points")
    # What is fast and wrong must not earn points because nobody looks at the results.
    for one in lab.criteria:
        for name in one.after:
            if worth[one.name] and not worth[name]:
                raise ValueError(
                    f"{where}points.{name} must be greater than 0, because {one.name} counts only "
                    f"after it: give {one.name} 0 points, too"
                )


def _worth(lab: Lab, assignment: Assignment) -> dict[str, float]:
    worth = {one.name: assignment.points.get(one.name, one.points) for one in lab.criteria}
    return worth if assignment.total is None else _scaled(worth, assignment.total)


def _scaled(worth: Mapping[str, float], total: float) -> dict[str, float]:
    """The points scaled to a total, in hundredths that add up to it exactly."""
    whole = sum(worth.values())
    exact = {name: 100 * total * number / whole for name, number in worth.items() if number}
    hundredths = {name: int(number) for name, number in exact.items()}
    rest = round(100 * total) - sum(hundredths.values())
    for name in sorted(exact, key=lambda name: hundredths[name] - exact[name])[:rest]:
        hundredths[name] += 1
    return {name: _number(hundredths.get(name, 0)) for name in worth}


def _number(hundredths: int) -> float:
    """A whole number stays one: 60 points are not written as 60.0."""
    return hundredths / 100 if hundredths % 100 else hundredths // 100

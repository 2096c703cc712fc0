"""The words of grades: what happened to a file, and how its points came about."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from tilelab.base.text import counted, one_line, points
from tilelab.model.evidence import Verdict
from tilelab.model.grade import Grade, Remark
from tilelab.model.result import ESTIMATED, Status
from tilelab.model.student import Student

VERDICT: dict[Verdict, str] = {
    "graded": "graded",
    "rejected": "rejected",
    "compile_error": "did not compile",
    "missing": "missing",
    "infra_error": "not graded",
}

HAPPENED: dict[Verdict, str] = {
    "graded": "",
    "rejected": "The file was not run, because it breaks a rule. This is what to change:",
    "compile_error": "The file does not compile, so no test could run. The compiler says:",
    "missing": "There is no file for this lab: none was handed in, or none that could be taken.",
    "infra_error": "The machine could not grade this file. Nobody is to blame for that, and no "
    "points are lost: the file can be graded again.",
}

STATUS: dict[Status, tuple[str, str]] = {
    "pass": ("✓", "passed"),
    "partial": ("◐", "partly passed"),
    "fail": ("✗", "failed"),
    "not_run": ("-", "not run"),
    "review": ("?", "a person has to look"),
    "estimated": ("~", f"{ESTIMATED}, not measured"),
}


@dataclass(frozen=True)
class Step:
    """A line of the sum that leads to the points that count."""

    what: str
    points: str
    comment: str = ""


def name_of(student: Student) -> str:
    return one_line(student.name or student.key)


def score_of(grade: Grade) -> str:
    """The points that count, "52.5 / 70". What was not run is neither lost nor earned."""
    if grade.score is None:
        return VERDICT["infra_error"]
    if not grade.result.criteria:  # nobody knows how much of the lab would have been run
        return f"{points(grade.score)} points"
    return f"{points(grade.score)} / {points(grade.most)}"


def late_text(grade: Grade) -> str:
    days = grade.days_late
    return f"{counted(days, 'day')} late" if days else ""


def sum_of(grade: Grade) -> list[Step]:
    """How the points come about, if they are not just those of the tests."""
    earned, added = grade.result.score, grade.adjustment
    given = [one for one in grade.remarks if one.points]
    if not added and not given and not grade.days_late:
        return []
    steps = [] if earned is None else [Step("Tests", points(earned))]
    if grade.days_late and earned is not None:
        share = f"{points(100 * grade.lost_share)}%" if grade.lost_share else "nothing"
        lost = earned * grade.lost_share
        steps.append(Step(f"{late_text(grade)}: {share} less", f"-{points(lost)}" if lost else "0"))
    if added:
        steps.append(Step("Added by a person", signed(added.points), one_line(added.comment)))
    steps += [Step(_about(one), signed(one.points), one_line(one.text)) for one in given]
    if grade.score is not None:
        steps.append(Step("This counts", points(grade.score)))
    return steps


def _about(remark: Remark) -> str:
    return f"Line {remark.line}" if remark.line else "Your file"


def not_run_text(grade: Grade) -> str:
    rest = [one for one in grade.result.criteria if one.status == "not_run"]
    if not rest:
        return ""
    names = " and ".join(f"{one.name} ({points(one.max)} points)" for one in rest)
    was = "was" if len(rest) == 1 else "were"
    return f"{names} {was} not run: these points are neither lost nor earned."


def estimated_text(grade: Grade) -> str:
    """What to know about points that come from an estimate, "" if there are none."""
    if not grade.estimated:
        return ""
    names = " and ".join(f"{one.name} ({points(one.points)} points)" for one in grade.estimated)
    return f"{names}: {ESTIMATED}, not measured. A GPU's verdict replaces these points."


def moment_text(moment: str | datetime.datetime | None, zone: datetime.tzinfo | None) -> str:
    """A moment as people in this zone write it, "2027-03-01 11:42 UTC"."""
    if moment is None:
        return ""
    when = datetime.datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return f"{when.astimezone(zone or datetime.UTC):%Y-%m-%d %H:%M %Z}"


def signed(value: float) -> str:
    return f"+{points(value)}" if value >= 0 else f"-{points(-value)}"

"""Joins records, such as one made without a GPU and one made with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from tilelab.model.course import Course
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.lab import Lab
from tilelab.pipeline.groups import Groups
from tilelab.record import archive, scored
from tilelab.record.outcome import Outcome
from tilelab.record.store import Entry, Store
from tilelab.score import cases, results


@dataclass
class Counts:
    """What became of the grades of a record that was merged into another."""

    new: int = 0  # the first grade of this student in this lab
    joined: int = 0  # something was added to a grade
    same: int = 0  # nothing to add
    left: list[str] = field(default_factory=list)  # why others were not taken


def merge(
    target: Store, other: Store, course: Course, labs: Mapping[str, Lab], outcome: Outcome
) -> Counts:
    """Takes in everything of `other`. `labs` has the labs with the points of the course.

    A grade that changes waits in `outcome`.
    """
    counts = Counts()
    target.take_people(other)
    course = Groups(target.students().values()).course(course)
    for entry in other.entries():
        _take(target, other, entry, course, labs[entry.grade.result.lab], outcome, counts)
    return counts


def _take(
    target: Store,
    other: Store,
    entry: Entry,
    course: Course,
    lab: Lab,
    outcome: Outcome,
    counts: Counts,
) -> None:
    result = entry.grade.result
    own = target.entry(result.student, result.lab)
    if own is None or own.evidence is None:
        if entry.evidence:
            target.take_evidence(other, entry.evidence)
        if own is None or entry.evidence:
            counts.new += 1
            outcome.settle(_scored(target, entry, course, lab))
        else:
            counts.same += 1
    elif entry.evidence is None:
        counts.same += 1
    elif entry.evidence == own.evidence:
        counts.same += 1
        if target.is_released(result.student, lab.name, result.sha256):
            outcome.settle(_scored(target, own, course, lab))
    elif problem := _problem(target, own.evidence, other, entry.evidence):
        counts.left.append(f"{result.student}/{result.lab}.cu: {problem}")
    else:
        _join(target, own, other, entry.evidence, lab, outcome, counts)


def _scored(target: Store, entry: Entry, course: Course, lab: Lab) -> Entry:
    """The grade in this course, whatever the points and the deadline of the record it is from."""
    student, evidence = entry.grade.result.student, scored.evidence_of(entry, target)
    is_missing = evidence.verdict == "missing"
    by_hand = None if is_missing else course.submitted.get((student, lab.name))
    submitted = by_hand.isoformat() if by_hand else entry.grade.submitted
    return Entry(scored.of(evidence, lab, student, submitted, course, target), entry.evidence)


def _problem(target: Store, own_key: str, other: Store, key: str) -> str | None:
    """Why two pieces of evidence cannot be joined, if so."""
    own, theirs = target.inputs(own_key), other.inputs(key)
    if own.submission != theirs.submission:
        return "the records are about different files"
    if (own.lab, own.harness) != (theirs.lab, theirs.harness):
        return "it was graded with other tests: update TileLab on one of the machines, and regrade"
    return None


def _join(
    target: Store, own: Entry, other: Store, key: str, lab: Lab, outcome: Outcome, counts: Counts
) -> None:
    assert own.evidence is not None
    had = target.inputs(own.evidence)
    inputs = had.with_tools_of(other.inputs(key))
    if inputs == had:
        counts.same += 1
        return
    counts.joined += 1
    joined = join(target.evidence(own.evidence), other.evidence(key))
    target.keep(lab.name, inputs, joined, other.machine_of(key), target.seconds_of(own.evidence))
    student = own.grade.result.student
    released = target.is_released(student, lab.name, joined.sha256)
    result = archive.bare(results.of(joined, lab, student, released=released))
    outcome.settle(Entry(replace(own.grade, result=result), inputs.key))


def join(own: Evidence, other: Evidence) -> Evidence:
    """What two machines found out about the same file. A test passes if it passed on both."""
    if own.verdict != "graded":
        return _still_unjudged(own, other)
    if other.verdict != "graded":
        return _still_unjudged(other, own)
    names = dict.fromkeys((*own.tested, *other.tested))
    joined = {name: _join_one(own.tested.get(name), other.tested.get(name)) for name in names}
    tested = {name: one for name, one in joined.items() if one}
    messages = tuple(dict.fromkeys((*own.messages, *other.messages)))
    return replace(own, tested=tested, messages=messages)


def _still_unjudged(refused: Evidence, other: Evidence) -> Evidence:
    """A file that was not graded, without the criteria that the other machine can judge."""
    tested = {
        name: one
        for name, one in refused.tested.items()
        if (there := other.tested.get(name)) and there.not_run and not there.estimate
    }
    return replace(refused, tested=tested)


def _join_one(
    own: CriterionEvidence | None, other: CriterionEvidence | None
) -> CriterionEvidence | None:
    """What is known about a criterion, None if one machine did not even have to run it.

    An estimate stays next to the times of a GPU, which count.
    """
    joined = _without_estimate(own, other)
    estimates = [one.estimate for one in (own, other) if one and one.estimate]
    estimate = next((one for one in estimates if not one.missing), next(iter(estimates), None))
    return replace(joined, estimate=estimate) if joined else None


def _without_estimate(
    own: CriterionEvidence | None, other: CriterionEvidence | None
) -> CriterionEvidence | None:
    found = [one for one in (own, other) if one and not one.not_run]
    if not found:
        return own if own and other else None
    if len(found) == 1 or any(one.times for one in found):
        return next((one for one in found if one.times), found[0])
    return CriterionEvidence(tuple(cases.merge([one.cases for one in found])))

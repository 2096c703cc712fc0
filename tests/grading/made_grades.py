"""Writes grades into a record without grading anything: a test says what was found."""

from __future__ import annotations

import hashlib
from typing import Any

from msgspec.structs import replace

from synthetic_class import passed
from tilelab.labs import lab as labs
from tilelab.model.case import Case, Message, Place
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.grade import Grade
from tilelab.model.measurement import Interval, Measurement, Timing
from tilelab.record import archive
from tilelab.record.fingerprint import Inputs
from tilelab.record.store import Entry, Store
from tilelab.score import results

MACHINE = {"gpu": None, "backend": "emulator", "compiler": "g++ 12"}

RACE = Message(
    "Data race: thread 1 reads s[0] in diff.cu:2, thread 0 writes it in diff.cu:1. (n = 61)",
    "data_race",
    "Data race: two threads use s[0], and no barrier separates them.",
    ("n = 61",),
    (Place(1, "s", "thread (0,0,0) writes s[0]"), Place(2, "s", "thread (1,0,0) reads s[0]")),
)

WRONG = Message(
    "out is wrong at 1 of 2 elements. First: out[1], expected 3, got 4. (n = 2)",
    "all_wrong",
    "out is wrong at 1 of 2 elements.",
    ("n = 2",),
    element="out[1]",
    expected="3",
    got="4",
)

COUNTED = Message("1.01 global loads per element (baseline 2.00, reference 1.01).")

SOURCE = "s[tx] = in[i];\nout[i] = s[tx] - s[tx - 1];\n"


def keep(
    record: Store,
    student: str,
    evidence: Evidence,
    *,
    lab: str = "diff",
    source: str = SOURCE,
    **grade: Any,
) -> None:
    """Puts a grade into the record. `grade` has its fields: submitted, days_late, lost_share."""
    the_lab = labs.load(lab)
    key = None
    if evidence.verdict not in ("missing", "infra_error"):
        sha256 = hashlib.sha256(source.encode()).hexdigest()
        evidence = replace(evidence, sha256=sha256, source=source)
        found = hashlib.sha256(archive.evidence_text(evidence).encode()).hexdigest()
        inputs = Inputs(sha256, lab, found, "tools", 7)
        key = inputs.key
        record.keep(lab, inputs, evidence, MACHINE, 2.5)
    result = archive.bare(results.of(evidence, the_lab, student))
    record.write([Entry(Grade(result, **grade), key)])


def failing(criterion: str, *messages: Message) -> Evidence:
    """Evidence of a file that fails one of four tests of a criterion."""
    found = passed(1)
    cases = (Case("the test that fails", False, list(messages)), *found.tested[criterion].cases[1:])
    tested = {**found.tested, criterion: CriterionEvidence(cases)}
    return replace(found, tested=tested)


def counted() -> Evidence:
    """Evidence of a file whose loads were counted."""
    found = passed(1)
    cases = (Case("it loads each element about once", True, [COUNTED]),)
    return replace(found, tested={**found.tested, "memory": CriterionEvidence(cases)})


def timed(speedup: float, cold_ms: float | None = None) -> Evidence:
    """Evidence of a file that is this many times as fast as the baseline; the reference is 1.6.

    `cold_ms` is how long a launch of it takes alone, by default hardly longer than others.
    """
    found = passed(1)
    kernels = {"baseline": 1.0, "02_tile": 1.3, "reference": 1.6, "submission": speedup}
    timings = {name: _timing(by, 1.1 / by) for name, by in kernels.items()}
    if cold_ms:
        timings["submission"] = _timing(speedup, cold_ms)
    run = Measurement(rounds=30, discarded=0, sm_mhz=1980, clock="judge", timings=timings)
    speed = CriterionEvidence((), {"speed": run})
    return replace(found, tested={**found.tested, "speed": speed})


def _timing(by: float, cold_ms: float) -> Timing:
    return Timing(
        ms=1 / by,
        device_ms=0.99 / by,
        cold_ms=cold_ms,
        warm_ms=1 / by,
        speedup=Interval(by * 0.999, by, by * 1.001),
    )

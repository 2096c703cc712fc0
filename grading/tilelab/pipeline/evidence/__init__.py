"""The last stage: what the tests and the times of a submission say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tilelab.base.text import checksum
from tilelab.model.case import Case, Message
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.lab import Lab
from tilelab.pipeline.evidence import estimated_speed, speed
from tilelab.pipeline.evidence.testing import Tested, why_not_run
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import observing
from tilelab.pipeline.records.stages import Inspected, Worker
from tilelab.pipeline.texts import doubles
from tilelab.score import results


def complete(
    tested: Tested, inspected: Inspected, workers: Sequence[Worker], session: Session
) -> Evidence:
    """Times what its tests found to be right, and says everything that is known.

    What is timed counts only if everything else is right, and nothing may run alongside it.
    Raises InfraError.
    """
    lab = inspected.lab
    timed = _time(tested.criteria, inspected, workers, session)
    messages = [tested.note] if tested.note else []
    if checksum(inspected.text) == lab.skeleton_sha256:
        messages.append(f"The file is as you got it: start with TODO 1 in {lab.name}.cu.")
    return Evidence(
        "graded",
        messages=tuple(messages),
        tested=_as_refused({**tested.criteria, **timed}),
        printed=tuple(next((one.printed for one in tested.judged if one.printed), ())),
        remark=doubles.remark(inspected.tokens, lab.header.read_text(encoding="utf-8")),
        errors=tuple(next((one.errors for one in tested.judged if one.errors), ())),
        calls=observing.different(call for one in tested.judged for call in one.calls),
    )


def _as_refused(tested: Mapping[str, CriterionEvidence]) -> Mapping[str, CriterionEvidence]:
    """The same if a GPU takes all launches. Else every test fails, as it would there."""
    estimates = (one.estimate for one in tested.values() if one.estimate)
    refused = next((one for one in estimates if one.is_refused), None)
    if refused is None:
        return tested
    message = Message(f"{refused.missing}.", summary=f"{refused.missing}.")
    return {
        name: replace(one, cases=tuple(Case(it.name, False, [message]) for it in one.cases))
        for name, one in tested.items()
    }


def unjudged(lab: Lab, session: Session) -> dict[str, CriterionEvidence]:
    """The criteria that nothing can judge on this machine, whatever the file, and why."""
    found = {}
    for criterion in lab.criteria:
        if any(tool.serves(criterion) for tool in session.toolchains):
            continue
        why = why_not_run(criterion, session)
        if criterion.estimated:
            lacking = estimated_speed.lacking(lab)
            if lacking is None:
                continue
            why = f"{why} No time can be estimated: {lacking}."
        found[criterion.name] = CriterionEvidence(not_run=why)
    return found


def _time(
    tested: Mapping[str, CriterionEvidence],
    inspected: Inspected,
    workers: Sequence[Worker],
    session: Session,
) -> Mapping[str, CriterionEvidence]:
    """The times of the criteria that are timed, as far as they count, or estimates of them.

    What nothing can judge here is not run for any file, right or wrong: else their maxima differ.
    """
    timed, lab = {}, inspected.lab
    not_here = unjudged(lab, session)
    for criterion in (one for one in lab.criteria if one.curve):
        usable = [one for one in workers if one.toolchain.serves(criterion)]
        if criterion.name in not_here:
            timed[criterion.name] = not_here[criterion.name]
        elif results.first_missed(criterion, tested) is not None:
            continue
        elif usable:
            timed[criterion.name] = speed.measure(criterion, usable[0], lab, session.seed)
        else:
            found = estimated_speed.estimate(inspected, workers, session.seed)
            why = why_not_run(criterion, session)
            timed[criterion.name] = CriterionEvidence(not_run=why, estimate=found)
    return timed

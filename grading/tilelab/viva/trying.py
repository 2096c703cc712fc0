"""Compiles and judges mutants of a file, and asks what was found."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tilelab.base import process
from tilelab.base.files import work_folder
from tilelab.model.case import Case
from tilelab.model.questions.viva import Question
from tilelab.repairs.code import Code
from tilelab.repairs.trial import Repaired, Trial
from tilelab.viva import outcomes
from tilelab.viva.evidence import Evidence
from tilelab.viva.mutants import Mutant
from tilelab.viva.outcomes import Outcome

# All are compiled together, and each is judged twice.
_MOST = 8
_SECONDS = 60

# What is found for one seed is looked for with another, so that no question rests on a coincidence.
_NEXT_SEED = 1

# Wrong choices of a question.
_OTHERS = 4


@dataclass(frozen=True)
class _Found:
    """What a mutant does, and whether its first wrong element is the same for other inputs."""

    mutant: Mutant
    outcome: Outcome
    has_element: bool


def questions(
    evidence: Evidence, code: Code, mutants: Sequence[Mutant], draw: random.Random
) -> Iterator[Question]:
    """Questions about some drawn mutants: what is found, and at which element."""
    if not evidence.passed:
        return
    for found in _judged(evidence, code, _drawn(mutants, draw)):
        yield _what(found, evidence.passed, draw)
        if found.has_element:
            yield _where(found)


def _drawn(mutants: Sequence[Mutant], draw: random.Random) -> list[Mutant]:
    """Some mutants, in turn of each sort, and of different lines as far as there are enough."""
    left = draw.sample(mutants, len(mutants))
    chosen: list[Mutant] = []
    while left and len(chosen) < _MOST:
        sorts = [one.sort for one in chosen]
        lines = [one.line for one in chosen]
        best = min(left, key=lambda one: (sorts.count(one.sort), lines.count(one.line)))
        left.remove(best)
        chosen.append(best)
    return chosen


def _judged(evidence: Evidence, code: Code, mutants: Sequence[Mutant]) -> list[_Found]:
    with work_folder() as work:
        lab = evidence.inspected.lab
        trial = Trial.begin(evidence.inspected, evidence.toolchain, work, _SECONDS, lab.seconds)
        built = trial.build([one.edit for one in mutants], code, "mutants")
        first = _outcomes(trial, built, evidence.passed, evidence.seed)
        seen = _worth_asking(built, first)
        second = _outcomes(
            trial, [one for one, _ in seen], evidence.passed, evidence.seed + _NEXT_SEED
        )
    of_edit = {id(one.edit): one for one in mutants}
    return [
        _Found(of_edit[id(one.edit)], outcome, _is_same_element(outcome, again))
        for (one, outcome), again in zip(seen, second, strict=True)
        if again is not None and again.what == outcome.what
    ]


def _worth_asking(
    built: Sequence[Repaired], first: Sequence[Outcome | None]
) -> list[tuple[Repaired, Outcome]]:
    """What is known, with at most one mutant that does no harm."""
    seen: list[tuple[Repaired, Outcome]] = []
    for one, outcome in zip(built, first, strict=True):
        harmless = any(known.what == outcomes.NOTHING for _, known in seen)
        if outcome is not None and not (harmless and outcome.what == outcomes.NOTHING):
            seen.append((one, outcome))
    return seen


def _is_same_element(first: Outcome, second: Outcome) -> bool:
    is_same = (first.inputs, first.element) == (second.inputs, second.element)
    # An index of 0 is too easy to guess.
    return is_same and bool(first.inputs) and any(first.element)


def _outcomes(
    trial: Trial, built: Sequence[Repaired], criteria: Sequence[str], seed: int
) -> list[Outcome | None]:
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = [process.submit(pool, _outcome, trial, one, criteria, seed) for one in built]
        return [future.result() for future in futures]


def _outcome(trial: Trial, one: Repaired, criteria: Sequence[str], seed: int) -> Outcome | None:
    """What is found first, and what the tests of safety say of it. None if that is not known."""
    failures: dict[str, Case] = {}
    for name in criteria:
        if failures and name != outcomes.SAFETY:
            continue
        cases = trial.judged(one, name, seed)
        if cases is None:
            return None
        failed = [case for case in cases if not case.passed]
        if failed:
            failures[name] = failed[0]
    return outcomes.of(failures, is_watched=outcomes.SAFETY in criteria)


def _what(found: _Found, passed: Sequence[str], draw: random.Random) -> Question:
    right = found.outcome.what
    others = draw.sample(found.outcome.false, min(_OTHERS, len(found.outcome.false)))
    choices = draw.sample([right, *others], len(others) + 1)
    return Question(
        kind=f"what {found.mutant.sort} {right}",
        line=found.mutant.line,
        ask=f"Line {found.mutant.line}: {found.mutant.says}. What would the "
        f"{_and(passed)} tests report?",
        answer=(choices.index(right),),
        why=found.outcome.says or "All of them pass, with two sets of inputs.",
        choices=tuple(choices),
    )


def _where(found: _Found) -> Question:
    outcome = found.outcome
    form = f"({', '.join(outcome.axes)})" if outcome.axes else "its index"
    return Question(
        kind="first wrong element",
        line=found.mutant.line,
        ask=f"Line {found.mutant.line}: {found.mutant.says}. The first test that fails does so for "
        f"{', '.join(outcome.inputs)}. Which is the first wrong element of `{outcome.array}`? "
        f"Answer with {form}.",
        answer=outcome.element,
        why=outcome.says,
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))

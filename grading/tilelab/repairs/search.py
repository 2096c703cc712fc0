"""Looks for the repairs that make a failing submission pass."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from dataclasses import replace as replace_in
from itertools import combinations, zip_longest

from msgspec.structs import replace

from tilelab.base import process
from tilelab.base.errors import Rejected
from tilelab.base.files import work_folder
from tilelab.model.failure import Causes, Failure
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import texts
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.stages import Source
from tilelab.repairs import candidates, chosen, reach, sites, task
from tilelab.repairs.code import Code, parse
from tilelab.repairs.edit import Edit, joined
from tilelab.repairs.task import Task
from tilelab.repairs.trial import Left, Repaired, Trial, at_once, patterns_of
from tilelab.score.failures import FAULTS, SYMPTOMS, failures

# The first batch is small, because the most plausible repairs come first.
_BATCHES = (16, 60, 200, 300, 400)

# Bytes that are compiled together.
_MOST_TOGETHER = 1_500_000

# Shares of the time for the first search. What has passed once may take longer to pass all tests.
_TO_CONFIRM = 0.5
_IF_NOTHING_PASSES = 0.5

# Where what has to be right is right, few others pass the tests of memory, too.
_FOR_A_BETTER_ONE = 0.25

# Where tests are slow, what is known by then has to do.
_WITHOUT_PAIRS = 3

# If no repair passes all tests, some of those that pass a few may do so with a second one.
_FOR_ANOTHER = 0.75
_FOR_THE_LAST = 0.4
_MOST_FIRST = 3
_MOST_OF_A_SECOND = 260
_MOST_PROMISING = 8
_MOST_NEARER = 4
_MOST_LIKELY = 24
_MOST_LIKELY_OF_A_KIND = 2

# Of two mistakes that only show together, each is among so many plausible ones.
_MOST_IN_PAIRS = 32
_MOST_OF_A_KIND = 4
_MOST_IN_A_LINE = 2  # of a kind

# So many of one kind in one line are looked at before others have their turn.
_AT_A_TIME = 3

# Where what has to be right is right, and something else is not.
_MOST_PLACES = 2

# Other edits of a launch, such as one with more threads, may hide what is wrong.
_EXCHANGED = "grid and block exchanged"

# What an edit may cost that does not pass all tests.
_TYPICAL = 0.6

_FOR_AN_ENDLESS_ONE = 0.3

# A repair that works for one seed is tried with another, so that no coincidence counts.
_NEXT_SEED = 1


def find(result: Result, lab: Lab, session: Session, seconds: float) -> Causes:
    """The causes of a result's failures, as far as an edit of the submission confirms them.

    The first search gives up after `seconds`, what follows it after shares of that. A submission
    without a failure that an edit could fix has no causes, nor has one that is too large. Raises
    Stopped.
    """
    toolchain = next((one for one in session.toolchains if one.build.is_checked), None)
    wanted = task.of(result, lab)
    if toolchain is None or wanted is None:
        return Causes()
    try:
        inspected = texts.inspect(Source(result.source, result.sha256 or ""), lab)
    except Rejected:
        return Causes()
    code = parse(result.source)
    if code.is_too_large:
        return Causes()
    found = failures(result)
    places = [place for one in found for place in one.details.named_places]
    lines, arrays = {place.line for place in places}, {place.word for place in places}
    patterns = {one.pattern for one in found}
    edits = candidates.of(code, lines, patterns, arrays, reach.of(result, code))
    with work_folder() as work:
        patience = _FOR_AN_ENDLESS_ONE if task.ENDLESS & patterns else lab.seconds
        trial = Trial.begin(inspected, toolchain, work, seconds, patience)
        return _search(trial, code, edits, wanted, session.seed, found)


@dataclass(frozen=True)
class _Tried:
    """Those that pass all tests, what has to be right, and at least where the submission fails.

    Of those that are `undecided`, no test had failed when there was no time left. Those that are
    `nearer` do not pass, but leave fewer elements wrong.
    """

    best: Sequence[Repaired] = ()
    right: Sequence[Repaired] = ()
    partly: Sequence[Repaired] = ()
    undecided: Sequence[Repaired] = ()
    nearer: Sequence[Repaired] = ()

    def __add__(self, other: _Tried) -> _Tried:
        return _Tried(
            (*self.best, *other.best),
            (*self.right, *other.right),
            (*self.partly, *other.partly),
            (*self.undecided, *other.undecided),
            (*self.nearer, *other.nearer),
        )


def _search(
    trial: Trial,
    code: Code,
    edits: Sequence[Edit],
    wanted: Task,
    seed: int,
    found: Sequence[Failure],
) -> Causes:
    tried = _tried(trial, code, edits, wanted, seed, _IF_NOTHING_PASSES)
    if tried.best:
        return Causes(chosen.of([one.edit for one in tried.best], code))
    patterns = {one.pattern for one in found}
    right = [one for one in tried.right if one.edit.kind.name == _EXCHANGED]
    if task.ENDLESS & patterns:
        right = list(tried.right)  # what takes less time hides nothing
    right = right or _of_no_launch(tried.right, code)
    # What is left out leads round a mistake as easily as to it.
    right = [one for one in right if not one.edit.kind.removes]
    if right:
        return _beside_another(right, code)
    undecided = _of_no_launch(tried.undecided, code)
    mended = _first_of_several(trial, undecided, wanted, seed, found)
    if (unrefuted := _partial(mended, code, _MOST_PLACES)).found:
        return unrefuted
    first = tried if tried.partly or tried.nearer else _Tried(nearer=_likely(trial, code, edits))
    together = _with_another(trial.again(_FOR_ANOTHER), code, first, wanted, seed, found)
    if together.found:
        return together
    if not trial.has_taken(_WITHOUT_PAIRS):
        mixed = _mixed(edits, candidates.kinds_of(patterns))
        both = _two_at_once(trial.again(_FOR_ANOTHER), code, mixed, wanted, seed)
        if both:
            return _partial(both, code, 1, with_another=True)
    partly = _of_no_launch(tried.partly, code)
    return _partial(_first_of_several(trial, partly, wanted, seed, found), code, 1)


def _of_no_launch(repaired: Sequence[Repaired], code: Code) -> list[Repaired]:
    return [one for one in repaired if not candidates.is_of_a_launch(one.edit, code)]


def _beside_another(right: Sequence[Repaired], code: Code) -> Causes:
    """The places where an edit leaves only tests of another kind to fail, such as of memory."""
    typical = _typical(right)
    return _partial(typical, code, _MOST_PLACES) if typical else _partial(right, code, 1)


def _partial(
    repaired: Sequence[Repaired], code: Code, most: int, *, with_another: bool = False
) -> Causes:
    """Causes that leave tests to fail. Where more places than `most` would do, it is by chance."""
    found = chosen.of([one.edit for one in repaired], code)
    if len(found) > most:
        return Causes()
    return Causes(tuple(replace(one, is_all=False, with_another=with_another) for one in found))


def _tried(
    trial: Trial, code: Code, edits: Sequence[Edit], wanted: Task, seed: int, more: float = 0
) -> _Tried:
    """What the edits pass. As long as none passes anything, there is `more` time, a share of it."""
    tried = _Tried()
    for number, batch in enumerate(_batches(edits, code)):
        begun = trial if tried.partly else trial.longer(more)
        better = _better(begun, code, batch, wanted, seed, number)
        tried += _Tried(nearer=[one for one in better if one.wrong])
        hopeful = [one for one in better if not one.wrong]
        tried += _confirmed(begun.longer(_TO_CONFIRM), hopeful, wanted, seed + _NEXT_SEED)
        if tried.best:
            break
        if _typical(tried.right):
            trial = trial.soon_over(_FOR_A_BETTER_ONE)
        if begun.is_over:
            break
    return tried


def _with_another(
    trial: Trial,
    code: Code,
    first: _Tried,
    wanted: Task,
    seed: int,
    shown: Sequence[Failure],
) -> Causes:
    """The cause that one of two repairs confirms which make right together what has to be.

    That is the one of which fewer others would have done as well, so its place is more certain.
    """
    promising = _promising(trial, first, wanted, seed, shown)[:_MOST_FIRST]
    # Some of them may have taken all of the time.
    trial = trial.again(_FOR_ANOTHER)
    for number, (one, left) in enumerate(promising):
        mended = parse(one.edit.applied(code.text).decode())
        later = left.and_all_that(shown, wanted) if not one.wrong else left
        second = candidates.of(mended, later.lines, later.patterns, later.arrays)
        # A launch that is turned around is tried alone, and takes long to be refuted.
        second = [one for one in second if one.kind.name != _EXCHANGED][:_MOST_OF_A_SECOND]
        again = trial.apart(f"second-{number}")
        tried = _tried(again, mended, second, left.task, seed)
        both = tried.best or _typical(tried.right) or _typical(tried.undecided)
        rivals = first.nearer if one.wrong else first.partly
        if both and (_places(rivals) <= _places(tried.partly) or _has_moved(code, mended)):
            is_alone = _mends_the_first(one, left, wanted, shown)
            return _partial([one], code, 1, with_another=not is_alone)
        if both:
            return _partial(both[:1], mended, 1, with_another=True)
    return Causes()


def _likely(trial: Trial, code: Code, edits: Sequence[Edit]) -> list[Repaired]:
    """The programs of the most plausible edits, though the test fails with each of them."""
    made = {id(one.edit): one for one in trial.programs}
    kinds: Counter[str] = Counter()
    found: list[Repaired] = []
    for edit in edits:
        is_made = id(edit) in made and not edit.kind.removes
        if not is_made or candidates.is_of_a_launch(edit, code):
            continue
        if kinds[edit.kind.name] < _MOST_LIKELY_OF_A_KIND and len(found) < _MOST_LIKELY:
            kinds[edit.kind.name] += 1
            found.append(replace_in(made[id(edit)], wrong=1))
    return found


def _has_moved(code: Code, mended: Code) -> bool:
    """Whether an edit changed the numbers of lines."""
    return code.text.count(b"\n") != mended.text.count(b"\n")


def _places(repaired: Sequence[Repaired]) -> int:
    return len({one.edit.line for one in repaired})


def _promising(
    trial: Trial,
    tried: _Tried,
    wanted: Task,
    seed: int,
    shown: Sequence[Failure],
) -> list[tuple[Repaired, Left]]:
    """One of each kind and line, and what it leaves. Those first that leave the least.

    What is better where the submission fails, and fails before that, or in the same test by a new
    fault, is none. What passes there and fails in the same way in the same test comes last. What is
    no better there counts if it leaves fewer faults.
    """
    nearer = sorted((one for one in tried.nearer if one.wrong < 1), key=lambda one: one.wrong)
    likely = [one for one in tried.nearer if one.wrong == 1]
    some = [
        *_one_of_each(tried.partly)[:_MOST_PROMISING],
        *_one_of_each(nearer)[:_MOST_NEARER],
        *likely,
    ]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        left = [process.submit(pool, trial.first_failure, one, wanted, seed) for one in some]
        found = [(one, future.result()) for one, future in zip(some, left, strict=True)]
    known = [
        (one, rest)
        for one, rest in found
        if rest
        and rest.task.passed >= wanted.passed
        and (rest.task.passed > wanted.passed or not rest.patterns & _new_faults(shown))
        and (one.wrong < 1 or _has_fewer_faults(rest, wanted))
    ]

    def order(both: tuple[Repaired, Left]) -> tuple[int, bool, bool]:
        one, rest = both
        is_same = not (one.wrong or _mends_the_first(one, rest, wanted, shown))
        # What else passes a test may do so only because its input is small.
        return -rest.task.passed, is_same, not _typical([one])

    return sorted(known, key=order)


def _has_fewer_faults(left: Left, wanted: Task) -> bool:
    """Whether the test gets further than it did, or fails without one of its faults."""
    if left.task.passed > wanted.passed:
        return True
    faults = wanted.patterns & set(FAULTS)
    return left.patterns & faults < faults


def _mends_the_first(one: Repaired, left: Left, wanted: Task, shown: Sequence[Failure]) -> bool:
    """Whether what an edit leaves is another failure than the one that the screen begins with."""
    is_later = left.task.passed > wanted.passed
    return not one.wrong and (is_later or _is_another(left.patterns, shown))


def _one_of_each(repaired: Sequence[Repaired]) -> list[Repaired]:
    """The first of each kind and line."""
    by_place: dict[tuple[str, int], Repaired] = {}
    for one in repaired:
        if not one.edit.kind.removes:
            by_place.setdefault(_place(one), one)
    return list(by_place.values())


def _two_at_once(
    trial: Trial, code: Code, edits: Sequence[Edit], wanted: Task, seed: int
) -> list[Repaired]:
    """The more plausible one of two repairs that pass all tests only together."""
    known = {id(one.edit) for one in trial.programs}
    some = [one for one in edits if id(one) in known]
    pairs = {id(both): (first, both) for first, both in _pairs(some, code)}
    together = [both for _, both in pairs.values()]
    tried = _tried(trial.apart("pairs"), code, together, wanted, seed)
    return [replace_in(one, edit=pairs[id(one.edit)][0]) for one in tried.best[:1]]


def _mixed(edits: Sequence[Edit], kinds: AbstractSet[str]) -> list[Edit]:
    """Those of some kinds and all others in turn, since one of two mistakes may show nothing."""
    of_these = [one for one in edits if one.kind.name in kinds]
    turns = [one for pair in zip_longest(of_these, edits) for one in pair if one is not None]
    return list({id(one): one for one in turns}.values())


def _pairs(edits: Sequence[Edit], code: Code) -> list[tuple[Edit, Edit]]:
    """The most plausible edits in other lines than each other: one of two, and both."""
    likely: list[Edit] = []
    kinds: Counter[str] = Counter()
    places: Counter[tuple[str, int]] = Counter()
    for one in edits:
        kind, place = one.kind.name, (one.kind.name, one.line)
        if len(likely) == _MOST_IN_PAIRS:
            break
        if kinds[kind] == _MOST_OF_A_KIND or places[place] == _MOST_IN_A_LINE:
            continue
        if sites.of(one, code) is not None:
            kinds[kind] += 1
            places[place] += 1
            likely.append(one)
    ranked = sorted(combinations(range(len(likely)), 2), key=sum)
    apart = [(likely[i], likely[j]) for i, j in ranked if likely[i].line != likely[j].line]
    found = [(first, joined([first, second])) for first, second in apart]
    return [(first, both) for first, both in found if sites.of(both, code) is not None]


def _batches(edits: Sequence[Edit], code: Code) -> Iterator[Sequence[Edit]]:
    begin = 0
    for size in _BATCHES:
        end = begin + min(size, _MOST_TOGETHER // len(code.text))
        if begin < min(end, len(edits)):
            yield edits[begin:end]
        begin = end


def _better(
    trial: Trial, code: Code, batch: Sequence[Edit], wanted: Task, seed: int, number: int
) -> list[Repaired]:
    """Those that pass or are less wrong where it fails. Each processor makes a program of some."""
    count = len(os.sched_getaffinity(0))

    def of(part: Sequence[Edit], name: str) -> list[Repaired]:
        return trial.better(trial.build(part, code, name), wanted, seed)

    with ThreadPoolExecutor(count) as pool:
        made = [process.submit(pool, of, batch[i::count], f"{number}-{i}") for i in range(count)]
        found = [one for future in made for one in future.result()]
    place = {id(edit): i for i, edit in enumerate(batch)}
    return _varied(sorted(found, key=lambda one: place[id(one.edit)]))


def _varied(repaired: Sequence[Repaired]) -> list[Repaired]:
    """The same, so that many of one kind in one line keep no others waiting."""
    seen: Counter[tuple[str, int]] = Counter()
    turns = []
    for one in repaired:
        turns.append(seen[_place(one)] // _AT_A_TIME)
        seen[_place(one)] += 1
    return [repaired[i] for _, i in sorted(zip(turns, range(len(repaired)), strict=True))]


def _typical(repaired: Sequence[Repaired]) -> list[Repaired]:
    """Those that fix what beginners often get wrong. Others may pass some tests by coincidence."""
    return [one for one in repaired if one.edit.cost <= _TYPICAL and not one.edit.kind.removes]


def _first_of_several(
    trial: Trial,
    partly: Sequence[Repaired],
    wanted: Task,
    seed: int,
    found: Sequence[Failure],
) -> list[Repaired]:
    """Those that fix the first failure for other inputs, too, though something else still fails."""
    later = trial.again(_FOR_THE_LAST)
    again = seed + _NEXT_SEED
    mended = at_once(later, _typical(partly), (wanted.first,), again, wanted.test).passing

    def leaves_another(one: Repaired) -> bool:
        patterns = _patterns_left(later, one, wanted, again, found[0])
        return patterns is not None and not patterns & _same_or_new(found)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        kept = [process.submit(pool, leaves_another, one) for one in mended]
        return [one for one, future in zip(mended, kept, strict=True) if future.result()]


def _patterns_left(
    trial: Trial, one: Repaired, wanted: Task, seed: int, shown: Failure
) -> set[str] | None:
    """Of the test that the screen begins with, and of what fails first if time is left."""
    cases = None if trial.is_over else trial.judged(one, shown.criterion, seed, shown.test)
    if cases is None:
        return None
    left = trial.first_failure(one, wanted, seed)
    others = left.patterns if left is not None else set()
    return others.union(*map(patterns_of, cases))


def _is_another(patterns: set[str], found: Sequence[Failure]) -> bool:
    """Whether what is left has a name, and is neither the first failure nor a new fault."""
    return bool(patterns) and not patterns & _same_or_new(found)


def _same_or_new(found: Sequence[Failure]) -> set[str]:
    """The patterns of the first failure, as any build shows it, and of faults that were not there.

    An edit after which one of them fails has not mended the first failure, or made another one.
    """
    return _with_symptoms(found[0].pattern) | _new_faults(found)


def _new_faults(found: Sequence[Failure]) -> set[str]:
    """Those that the submission does not have."""
    return set(FAULTS).difference(*(_with_symptoms(one.pattern) for one in found))


def _with_symptoms(pattern: str) -> set[str]:
    """A pattern, and those that a fast build shows of it."""
    return {pattern, *(symptom for symptom, causes in SYMPTOMS.items() if pattern in causes)}


def _confirmed(trial: Trial, hopeful: Sequence[Repaired], wanted: Task, seed: int) -> _Tried:
    """What the hopeful ones pass with other inputs.

    Once some pass all tests, no more are looked at.
    """
    tried = _Tried(partly=hopeful)
    together = len(os.sched_getaffinity(0))
    left = list(hopeful)
    while left and not tried.best:
        # What the submission itself passes takes less time, and is lost where an edit goes round.
        first, then = wanted.needed, wanted.others
        if wanted.passes_others:
            first, then = then, first
        # Most of them fail soon for other inputs of the test, whatever the others would take.
        same = at_once(trial, left[:together], (wanted.first,), seed, wanted.test)
        before = at_once(trial, [*same.passing, *same.undecided], first, seed)
        after = at_once(trial, before.passing, then, seed)
        if wanted.passes_others:
            undecided = [*before.undecided, *after.undecided]
            tried += _Tried(after.passing, after.passing, undecided=undecided)
        else:
            tried += _Tried(after.passing, before.passing, undecided=before.undecided)
        known = {_place(one) for one in tried.right}
        left = [one for one in left[together:] if _place(one) not in known]
        if _typical(tried.right):
            trial = trial.soon_over(_FOR_A_BETTER_ONE)
    return tried


def _place(repaired: Repaired) -> tuple[str, int]:
    """What is one cause, in as many ways as it may be mended."""
    return repaired.edit.kind.name, repaired.edit.line

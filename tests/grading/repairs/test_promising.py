"""Which edits that fix the first failure are tried with a second one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from tilelab.model.failure import Causes, Failure
from tilelab.pipeline.records.stages import Worker
from tilelab.repairs import search
from tilelab.repairs.code import parse
from tilelab.repairs.edit import Change, Edit, Kind
from tilelab.repairs.task import Task
from tilelab.repairs.trial import Left, Repaired, Trial, at_once

_WANTED = Task("a test", "correctness", ("correctness",), (), passed=2)
_RACE = Failure("safety", "a test", "", "data_race", 3, 1)


class _Trial:
    """Knows how many tests each edit passes."""

    def __init__(self, passed: dict[int, int | None]) -> None:
        self._passed = passed

        self.is_slow = False
        self.patterns: set[str] = set()
        self.folders: list[str] = []
        self.programs: list[Repaired] = []
        self.done: list[str] = []

    def has_taken(self, share: float) -> bool:
        return self.is_slow

    def again(self, share: float) -> _Trial:
        self.done.append("time anew")
        return self

    def apart(self, name: str) -> _Trial:
        self.folders.append(name)
        return self

    def first_failure(self, one: Repaired, wanted: Task, seed: int) -> Left | None:
        self.done.append("judged")
        passed = self._passed[one.edit.line]
        if passed is None:
            return None
        return Left(replace(wanted, passed=passed), set(), self.patterns, set())


class _Passing:
    """Passes these criteria, and is never over."""

    is_over = False

    def __init__(self, *passed: str) -> None:
        self._passed = passed

    def soon_over(self, share: float) -> _Passing:
        return self

    def passes(
        self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None
    ) -> bool | None:
        return set(criteria) <= set(self._passed)


def _lines(kinds: dict[int, Kind], passed: dict[int, int | None]) -> list[int]:
    edits = [Edit(kind, line, "", ()) for line, kind in kinds.items()]
    partly = [Repaired(one, cast(Worker, None), number) for number, one in enumerate(edits)]
    tried = search._Tried(partly=partly)
    found = search._promising(cast(Trial, _Trial(passed)), tried, _WANTED, 0, [_RACE])
    return [one.edit.line for one, _ in found]


def test_of_two_edits_of_a_kind_the_one_that_leaves_less_comes_first() -> None:
    kind = Kind("a kind", "A question?", "An idea.")
    assert _lines({1: kind, 2: kind}, {1: 3, 2: 5}) == [2, 1]
    assert _lines({1: kind, 2: kind}, {1: 3, 2: 3}) == [1, 2]


def test_what_beginners_often_get_wrong_comes_before_what_leaves_as_much() -> None:
    seldom, often = (Kind("a kind", "A question?", "An idea.", cost) for cost in (0.8, 0.4))
    assert _lines({1: seldom, 2: often}, {1: 3, 2: 3}) == [2, 1]
    assert _lines({1: seldom, 2: often}, {1: 5, 2: 3}) == [1, 2]


def test_what_removes_or_leaves_something_unknown_or_earlier_is_not_tried() -> None:
    kind = Kind("a kind", "A question?", "An idea.")
    removes = Kind("another", "A question?", "An idea.", removes=True)
    kinds = {1: kind, 2: removes, 3: kind, 4: kind, 5: kind}
    assert _lines(kinds, {1: None, 2: 5, 3: 3, 4: 2, 5: 0}) == [3, 4]


@pytest.mark.parametrize(
    ("left", "passed", "tried"),
    [
        ({"another_tile"}, 2, ["passes", "nearer"]),
        ({"another_tile"}, 1, []),
        ({"data_race"}, 2, ["nearer", "passes"]),  # as before
        ({"order"}, 2, ["nearer", "passes"]),  # the same, as a fast build shows it
        ({"out_of_bounds"}, 2, []),  # a fault that was not there
        ({"out_of_bounds"}, 3, ["passes", "nearer"]),
        (set(), 2, ["nearer", "passes"]),
    ],
)
def test_in_the_same_test_no_new_fault_may_be_left_and_another_failure_is_better(
    left: set[str], passed: int, tried: list[str]
) -> None:
    passes, nearer = (Edit(Kind(one, "?", "."), 1, "", ()) for one in ("passes", "nearer"))
    trial = _Trial({1: passed})
    trial.patterns = left
    first = search._Tried(
        partly=[Repaired(passes, cast(Worker, None), 1)],
        nearer=[Repaired(nearer, cast(Worker, None), 2, wrong=0.5)],
    )
    found = search._promising(cast(Trial, trial), first, _WANTED, 0, [_RACE])
    assert [one.edit.kind.name for one, _ in found] == tried


def test_those_that_leave_the_fewest_elements_wrong_are_tried() -> None:
    kind = Kind("a kind", "A question?", "An idea.")
    shares = {1: 0.9, 2: 0.1, 3: 0.5, 4: 0.4, 5: 0.8, 6: 0.2}
    nearer = [
        Repaired(Edit(kind, line, "", ()), cast(Worker, None), line, wrong)
        for line, wrong in shares.items()
    ]
    trial = _Trial(dict.fromkeys(shares, 2))
    found = search._promising(cast(Trial, trial), search._Tried(nearer=nearer), _WANTED, 0, [_RACE])
    assert [one.edit.line for one, _ in found] == [2, 6, 4, 3]


@pytest.mark.parametrize(
    ("left", "passed", "is_tried"),
    [
        ({"all_wrong"}, 2, True),  # the race is gone
        ({"data_race", "all_wrong"}, 2, False),
        ({"out_of_bounds"}, 2, False),
        (set(), 2, True),
        ({"data_race"}, 3, True),  # of another test
    ],
)
def test_where_nothing_passes_or_is_nearer_what_leaves_fewer_faults_is_tried(
    left: set[str], passed: int, is_tried: bool
) -> None:
    edit = Edit(Kind("a kind", "?", "."), 1, "", (Change(0, 0, " "),))
    trial = _Trial({1: passed})
    trial.programs, trial.patterns = [Repaired(edit, cast(Worker, None), 1)], left
    likely = search._likely(cast(Trial, trial), parse("int a;"), [edit])
    wanted = replace(_WANTED, patterns=frozenset({"data_race", "all_wrong"}))
    tried = search._Tried(nearer=likely)
    assert bool(search._promising(cast(Trial, trial), tried, wanted, 0, [_RACE])) == is_tried


def test_few_of_a_kind_are_tried_with_a_second_one_though_nothing_is_better() -> None:
    removes = Kind("another", "?", ".", removes=True)
    kinds = [Kind("a kind", "?", "."), Kind("one more", "?", "."), removes]
    change = (Change(0, 0, " "),)
    edits = [Edit(kind, line, "", change) for kind in kinds for line in range(1, 9)]
    trial = _Trial({})
    trial.programs = [Repaired(one, cast(Worker, None), 1) for one in edits[1:]]
    found = search._likely(cast(Trial, trial), parse("int a;"), edits)
    assert [one.edit for one in found] == [edits[1], edits[2], edits[8], edits[9]]
    assert {one.wrong for one in found} == {1}


def test_repairs_of_two_programs_are_tried_in_folders_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each program numbers its own repairs."""
    kind = Kind("a kind", "A question?", "An idea.")
    partly = [Repaired(Edit(kind, line, "", ()), cast(Worker, None), 1) for line in (1, 2)]
    trial = _Trial({1: 3, 2: 5})
    monkeypatch.setattr(search, "_tried", lambda *_: search._Tried())
    code = parse("__global__ void k() {}")
    first = search._Tried(partly=partly)
    search._with_another(cast(Trial, trial), code, first, _WANTED, 0, [_RACE])
    assert len(set(trial.folders)) == len(trial.folders) == 2
    # To judge what is left may take all of the time.
    assert trial.done == ["judged", "judged", "time anew"]


@pytest.mark.parametrize(
    ("shown", "known", "mended"),
    [
        ("tail_unwritten", "uninitialized_array", True),  # a fast build shows it so
        ("tail_unwritten", "uninitialized_read", True),
        ("tail_unwritten", "data_race", False),
        ("uninitialized_array", "tail_unwritten", False),
    ],
)
def test_what_was_there_in_another_guise_is_no_new_fault(
    shown: str, known: str, mended: bool
) -> None:
    found = [Failure("safety", "a test", "", one, None, 1) for one in (shown, known)]
    assert ("uninitialized_read" not in search._same_or_new(found)) == mended


@pytest.mark.parametrize("passes_others", [False, True])
def test_an_edit_that_breaks_what_worked_goes_round_the_mistake(passes_others: bool) -> None:
    kind = Kind("a kind", "A question?", "An idea.")
    hopeful = [Repaired(Edit(kind, 1, "", ()), cast(Worker, None), 1)]
    wanted = Task("a test", "correctness", ("correctness",), ("memory",), passes_others)
    tried = search._confirmed(cast(Trial, _Passing("correctness")), hopeful, wanted, 0)
    assert not tried.best
    assert bool(tried.right) != passes_others
    both = cast(Trial, _Passing("correctness", "memory"))
    assert list(search._confirmed(both, hopeful, wanted, 0).best) == hopeful


def test_what_the_submission_passes_itself_is_asked_first() -> None:
    """An edit that loses it only goes round the mistake, and no slow test has to run for that.

    Only the rest of the test that failed comes before it.
    """
    asked: list[tuple[str, str | None]] = []

    class _Asked(_Passing):
        def passes(
            self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None
        ) -> bool | None:
            asked.extend((name, test) for name in criteria)
            return super().passes(one, criteria, seed, test)

    some = [Repaired(Edit(Kind("a", "?", "."), 1, "", ()), cast(Worker, None), 1)]
    wanted = replace(_WANTED, others=("memory",), passes_others=True)
    lost = search._confirmed(cast(Trial, _Asked("correctness")), some, wanted, 0)
    assert (list(lost.best), list(lost.right)) == ([], [])
    assert asked == [("correctness", wanted.test), ("memory", None)]
    best = search._confirmed(cast(Trial, _Asked("correctness", "memory")), some, wanted, 0)
    assert (list(best.best), list(best.right)) == (some, some)
    kept = search._confirmed(
        cast(Trial, _Asked("correctness")), some, replace(wanted, passes_others=False), 0
    )
    assert (list(kept.best), list(kept.right)) == ([], some)


def test_two_criteria_of_one_edit_are_judged_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    both = threading.Barrier(2)

    class _Together(_Passing):
        def passes(
            self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None
        ) -> bool | None:
            both.wait(30)
            return super().passes(one, criteria, seed, test)

    some = [Repaired(Edit(Kind("a", "?", "."), 1, "", ()), cast(Worker, None), 1)]
    criteria = ("correctness", "safety")
    assert at_once(cast(Trial, _Together(*criteria)), some, criteria, 0).passing == some
    assert at_once(cast(Trial, _Together("safety")), some, criteria, 0).passing == []


def test_what_has_failed_a_criterion_is_judged_by_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    asked: list[str] = []

    class _Asked(_Passing):
        def passes(
            self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None
        ) -> bool | None:
            asked.extend(criteria)
            return False

    some = [Repaired(Edit(Kind("a", "?", "."), 1, "", ()), cast(Worker, None), 1)]
    assert at_once(cast(Trial, _Asked()), some, ("correctness", "safety"), 0).passing == []
    assert asked == ["correctness"]


class _Slow(_Passing):
    """Runs out of time in these criteria, and passes the others."""

    def passes(
        self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None
    ) -> bool | None:
        return None if super().passes(one, criteria, seed, test) else True


@pytest.mark.parametrize("passes_others", [False, True])
def test_what_fails_nothing_until_there_is_no_time_left_is_undecided(passes_others: bool) -> None:
    some = [Repaired(Edit(Kind("a", "?", "."), 1, "", ()), cast(Worker, None), 1)]
    wanted = replace(_WANTED, others=("memory",), passes_others=passes_others)
    tried = search._confirmed(cast(Trial, _Slow("correctness")), some, wanted, 0)
    assert (list(tried.best), list(tried.right), list(tried.undecided)) == ([], [], some)


def test_what_has_failed_in_time_is_not_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})

    class _Mixed(_Passing):
        def passes(
            self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None
        ) -> bool | None:
            return None if criteria == ("correctness",) else False

    some = [Repaired(Edit(Kind("a", "?", "."), 1, "", ()), cast(Worker, None), 1)]
    tested = at_once(cast(Trial, _Mixed()), some, ("correctness", "safety"), 0)
    assert (tested.passing, tested.undecided) == ([], [])


def test_what_nobody_looked_at_is_not_undecided() -> None:
    some = [Repaired(Edit(Kind("a", "?", "."), 1, "", ()), cast(Worker, None), 1)]
    late = _Slow("correctness")
    late.is_over = True
    tested = at_once(cast(Trial, late), some, ("correctness", "safety"), 0)
    assert (tested.passing, tested.undecided) == ([], [])


@pytest.mark.parametrize(
    ("places", "are_named"), [((5,), True), ((5, 10), True), ((5, 10, 15), False)]
)
def test_undecided_edits_of_a_few_places_are_named(
    monkeypatch: pytest.MonkeyPatch, places: tuple[int, ...], are_named: bool
) -> None:
    edits = [
        Edit(Kind(f"kind {at}", "A question?", "An idea."), at, "", (Change(at, at, "x"),))
        for at in places
    ]
    some = [Repaired(edit, cast(Worker, None), 1) for edit in edits]
    monkeypatch.setattr(search, "_tried", lambda *_: search._Tried(partly=some, undecided=some))
    monkeypatch.setattr(search, "_first_of_several", lambda trial, some, *_: list(some))
    asked: list[str] = []

    def with_another(*_: object) -> Causes:
        asked.append("another")
        return Causes()

    monkeypatch.setattr(search, "_with_another", with_another)
    monkeypatch.setattr(search, "_two_at_once", lambda *_: asked.append("two at once"))
    code = parse("\n" * 20)
    found = search._search(cast(Trial, _Trial({})), code, [], _WANTED, 0, []).found
    assert tuple(one.line for one in found) == (places if are_named else ())
    assert not any(one.is_all for one in found)
    assert asked == ([] if are_named else ["another", "two at once"])


@pytest.mark.parametrize(("is_slow", "are_tried"), [(False, True), (True, False)])
def test_pairs_are_tried_unless_the_tests_are_slow(
    monkeypatch: pytest.MonkeyPatch, is_slow: bool, are_tried: bool
) -> None:
    both = Repaired(Edit(Kind("a", "?", "."), 4, "", ()), cast(Worker, None), 1)
    monkeypatch.setattr(search, "_tried", lambda *_: search._Tried())
    monkeypatch.setattr(search, "_first_of_several", lambda *_: [])
    monkeypatch.setattr(search, "_two_at_once", lambda *_: [both])
    trial = _Trial({})
    trial.is_slow = is_slow
    found = search._search(cast(Trial, trial), parse("\n" * 9), [], _WANTED, 0, [_RACE]).found
    assert [one.line for one in found] == ([4] if are_tried else [])


@pytest.mark.parametrize(
    ("left", "wrong", "is_alone"),
    [({"another_tile"}, 0, True), ({"order"}, 0, False), ({"another_tile"}, 0.5, False)],
)
def test_an_edit_that_leaves_the_first_failure_is_one_of_two(
    monkeypatch: pytest.MonkeyPatch, left: set[str], wrong: float, is_alone: bool
) -> None:
    edit = Edit(Kind("a", "?", "."), 1, "", (Change(0, 0, " "),))
    one = Repaired(edit, cast(Worker, None), 1, wrong)
    trial = _Trial({1: 2})
    trial.patterns = left
    first = search._Tried(nearer=[one]) if wrong else search._Tried(partly=[one])
    monkeypatch.setattr(search, "_tried", lambda *_: search._Tried(best=[one], partly=[one]))
    code = parse("__global__ void k() {}")
    [found] = search._with_another(cast(Trial, trial), code, first, _WANTED, 0, [_RACE]).found
    assert not found.is_all and found.with_another != is_alone

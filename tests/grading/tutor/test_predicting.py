"""Which prediction a check asks for, and when it asks again."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from made_profile import call
from tilelab.labs import lab
from tilelab.model.case import Case
from tilelab.model.profile import Call, Metric
from tilelab.model.result import CriterionResult, Result, Status
from tilelab.tutor.predict import predicted, predicting
from tilelab.tutor.predict.predicted import Answer, Predicted
from tilelab.tutor.predict.predictions import Counted, Faster, Outcome, Removed, Version

DIFF = lab.load("diff")
NOW = datetime.datetime(2026, 11, 26, tzinfo=datetime.UTC)

LOADS = Counted(
    id="loads",
    ask="For n = {n}?",
    metric="loads_per_element",
    says="{}",
    low="l",
    right="r",
    high="h",
)
BARRIER = Removed(
    id="barrier",
    ask="Without line {line}?",
    statement="__syncthreads();",
    choices=(Outcome("a", (), "a"), Outcome("b", ("safety",), "b")),
)
TILE = Faster(
    id="tile",
    ask="?",
    when="passed",
    gpu="H200",
    problem="n",
    choices=(Version("a", "baseline", 1), Version("b", "02_tile", 2)),
    right="r",
    wrong="w",
)
ALL = (LOADS, BARRIER, TILE)
NONE = Predicted()

SOURCE = """// __syncthreads(); in a comment
__global__ void k() {
  a();
  __syncthreads();
  b();
    __syncthreads( );
}
"""


def cases_of(second_passes: bool) -> tuple[Case, ...]:
    return (Case("diff does nothing", True, []), Case("diff is right", second_passes, []))


def result_of(
    correctness: Status = "pass", memory: Status = "pass", loads: float = 2.0, source: str = SOURCE
) -> Result:
    rows = [
        CriterionResult("correctness", correctness, 0, 40, cases=cases_of(correctness == "pass")),
        CriterionResult("memory", memory, 0, 20),
        CriterionResult("speed", "not_run", 0, 30),
    ]
    calls = (call("diff(int[99000])", metrics={"loads_per_element": Metric("", loads)}),)
    return Result("", "diff", "graded", 0, 100, criteria=rows, source=source, calls=calls)


def asked(result: Result, state: Predicted = NONE) -> str:
    ready = predicting.next_one(ALL, result, DIFF, state)
    return ready.prediction.id if ready else ""


def answered(*ids: str, counted: float | None = None) -> Predicted:
    return Predicted(answers=tuple(Answer(id, True, NOW, counted) for id in ids))


def test_nothing_is_asked_before_the_results_are_right() -> None:
    assert asked(result_of("fail")) == ""
    assert asked(replace(result_of(), criteria=[], verdict="compile_error")) == ""


def test_some_tests_may_be_enough() -> None:
    early = replace(LOADS, tests="diff does")
    result = result_of("fail")
    ready = predicting.next_one([early, BARRIER], result, DIFF, NONE)
    assert ready and ready.prediction == early
    # A name that no test has is no reason to ask.
    assert predicting.next_one([replace(LOADS, tests="sum")], result, DIFF, NONE) is None


def test_one_after_the_other() -> None:
    assert asked(result_of()) == "loads"
    assert asked(result_of(), answered("loads", counted=2.0)) == "barrier"
    assert asked(result_of(), answered("loads", "barrier", counted=2.0)) == "tile"
    assert asked(result_of(), answered("loads", "barrier", "tile", counted=2.0)) == ""


def test_one_that_waits_for_everything_to_pass() -> None:
    state = answered("loads", "barrier", counted=2.0)
    assert asked(result_of(memory="fail"), state) == ""
    assert asked(result_of(memory="pass"), state) == "tile"


@pytest.mark.parametrize(("now", "again"), [(2.1, False), (2.9, False), (3.1, True), (1.0, True)])
def test_a_count_that_changed_much_is_asked_for_again(now: float, again: bool) -> None:
    state = answered("loads", "barrier", "tile", counted=2.0)
    assert (asked(result_of(loads=now), state) == "loads") == again


def test_what_was_skipped_comes_last_and_then_never() -> None:
    once = Predicted().with_skipped("loads")
    assert asked(result_of(), once) == "barrier"
    state = replace(answered("barrier", "tile"), skipped={"loads": 1})
    assert asked(result_of(), state) == "loads"
    assert asked(result_of(), state.with_skipped("loads")) == ""


def test_without_counts_only_the_others_are_asked() -> None:
    assert asked(replace(result_of(), calls=())) == "barrier"


def test_the_question_names_the_size_of_the_call() -> None:
    ready = predicting.next_one(ALL, result_of(), DIFF, Predicted())
    assert ready and ready.asks == "For n = 99,000?"


def test_a_statement_goes_and_its_line_stays() -> None:
    found = predicting.without(SOURCE, BARRIER)
    assert found is not None
    text, line = found
    assert line == 4  # not the one in the comment
    assert text == SOURCE.replace("  __syncthreads();", "  ;", 1)


def test_a_statement_that_is_written_in_another_way_is_left_alone() -> None:
    last = replace(BARRIER, place="last")
    found = predicting.without(SOURCE, last)
    assert found is not None and found[1] == 4
    assert predicting.without("void f() {}\n", BARRIER) is None


def test_a_metric_of_accesses_needs_some() -> None:
    calls: Sequence[Call] = [call("diff(int[9])")]
    prediction = replace(LOADS, metric="wavefronts_per_tile_load")
    assert predicting.counted(prediction, calls) is None


def test_answers_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path / "new"))
    assert predicted.load("diff") == Predicted()
    state = answered("loads", counted=2.5).with_skipped("tile")
    predicted.save("diff", state)
    assert predicted.load("diff") == state
    (tmp_path / "new" / "diff.predictions.json").write_text("{")
    assert predicted.load("diff") == Predicted()


def test_halves() -> None:
    days = [NOW + datetime.timedelta(days=day) for day in (3, 1, 2)]
    answers = [Answer(str(day.day), False, day) for day in days]
    first, second = predicted.halves(answers)
    assert [one.id for one in first] == ["27"]
    assert [one.id for one in second] == ["28", "29"]


def test_the_first_call_that_counts_is_asked_about() -> None:
    calls = [
        call("other(int[1])", metrics={"loads_per_element": Metric("", 1)}),
        call("diff(int[2])"),
        call("diff(int[3])", metrics={"loads_per_element": Metric("", 3)}),
        call("diff(int[4])", metrics={"loads_per_element": Metric("", 4)}),
    ]
    of_diff = predicting.counted(replace(LOADS, call="diff"), calls)
    assert of_diff and (of_diff.counted, of_diff.asks) == (3, "For n = 3?")
    of_any = predicting.counted(LOADS, calls)
    assert of_any and of_any.counted == 1

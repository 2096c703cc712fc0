"""What to fix: one entry per cause, the first to fix at the top."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tilelab.model.case import Case, Message, Place
from tilelab.model.lab import Lab
from tilelab.model.result import CriterionResult, Result, Status
from tilelab.score import hints
from tilelab.score.failures import failures


def wrong(n: int, pattern: str = "") -> Message:
    return Message(f"out is wrong (n = {n})", pattern, inputs=(f"n = {n}",), element="out[0]")


def found(pattern: str, line: int) -> Message:
    return Message(pattern, pattern, places=(Place(line),))


def result(**criteria: list[Case]) -> Result:
    rows = [
        CriterionResult(name, "fail", 0, 1, cases=tuple(cases)) for name, cases in criteria.items()
    ]
    return Result("", "diff", "graded", 0, 1, criteria=rows)


def test_a_cause_is_one_entry_however_many_tests_notice_it() -> None:
    cases = [Case("a", False, [wrong(1, "first_wrong"), wrong(2, "first_wrong")])]
    other = Case("b", False, [wrong(7, "first_wrong")])
    (only,) = failures(result(correctness=[*cases, other], safety=[other]))
    assert (only.criterion, only.test, only.message, only.pattern, only.line, only.count) == (
        "correctness",
        "a",
        "out is wrong (n = 1)",
        "first_wrong",
        None,
        3,
    )


def test_a_clear_pattern_stands_for_the_vague_ones() -> None:
    said = [wrong(1, "never_written"), wrong(2), wrong(257, "tail_unwritten"), wrong(9, "other")]
    said.append(wrong(511, "tail_unwritten"))
    (only,) = failures(result(correctness=[Case("a", False, said)]))
    assert only.message == "out is wrong (n = 257)"


def test_the_first_function_that_fails_stands_for_those_that_may_call_it() -> None:
    said = [
        replace(wrong(n, pattern), inputs=(function, f"n = {n}"))
        for n, function, pattern in (
            (1, "saxpy_clamped", "never_written"),
            (33, "saxpy_from_host", "not_copied_back"),
        )
    ]
    (only,) = failures(result(correctness=[Case("a", False, said)]))
    assert only.details.inputs == ("saxpy_clamped", "n = 1")
    # What else is among the inputs is no function.
    said = [replace(one, inputs=("step 1", *one.inputs[1:])) for one in said]
    (only,) = failures(result(correctness=[Case("a", False, said)]))
    assert only.details.inputs == ("step 1", "n = 33")


def test_what_may_be_why_comes_first() -> None:
    fast = [Case("a", False, [wrong(1, "first_wrong")]), Case("b", False, [wrong(2, "order")])]
    checked = [Case("c", False, [found("data_race", 12), found("out_of_bounds", 16)])]
    causes = failures(result(correctness=fast, safety=checked))
    assert [(cause.pattern, cause.line, cause.count) for cause in causes] == [
        ("out_of_bounds", 16, 1),
        ("data_race", 12, 2),
        ("first_wrong", None, 1),
    ]


def test_too_much_memory_is_one_cause_and_comes_before_the_time_it_took() -> None:
    said = [Message(f"used more than {n} MiB", "too_much_memory") for n in (2048, 2080)]
    said.insert(0, Message("did not finish within 1 s", "out_of_time"))
    causes = failures(result(correctness=[Case("a", False, said)]))
    assert [cause.message for cause in causes] == [
        "used more than 2048 MiB",
        "did not finish within 1 s",
    ]


def test_calls_without_time_belong_to_the_work_that_was_repeated() -> None:
    fast = [Case("a", False, [Message("did not finish", "out_of_time")])]
    checked = [Case("b", False, [Message("stored each element 64 times", "repeated_work")])]
    (cause,) = failures(result(correctness=fast, safety=checked))
    assert (cause.message, cause.count) == ("stored each element 64 times", 2)


def test_a_leak_comes_before_errors_that_nobody_looks_at_and_after_wrong_results() -> None:
    fast = [Message("made to fail", "error_ignored"), wrong(1, "first_wrong")]
    causes = failures(
        result(correctness=[Case("a", False, fast)], safety=[Case("b", False, [found("leak", 5)])])
    )
    assert [cause.pattern for cause in causes] == ["first_wrong", "leak", "error_ignored"]


def test_a_passed_test_and_a_skipped_call_are_no_causes() -> None:
    said = [Message("did not finish", "out_of_time"), Message("Skipped", "skipped")]
    cases = [Case("a", False, said), Case("b", True, [Message("a note")])]
    assert [cause.pattern for cause in failures(result(correctness=cases))] == ["out_of_time"]


def test_what_the_fast_build_shows_of_a_finding_is_no_cause_of_its_own() -> None:
    fast = [Message("crashed", "crash"), Message("illegal address", "out_of_bounds")]
    checked = Case("c", False, [found("shared_out_of_bounds", 9)])
    (only,) = failures(result(correctness=[Case("a", False, fast)], safety=[checked]))
    assert (only.pattern, only.line, only.count) == ("shared_out_of_bounds", 9, 2)
    # They may name the line that the finding names, too.
    fast = [replace(one, places=(Place(9, says="fails here"),)) for one in fast]
    (only,) = failures(result(correctness=[Case("a", False, fast)], safety=[checked]))
    assert (only.message, only.count) == ("shared_out_of_bounds", 2)
    # Without a finding, they are what there is to say.
    for said in fast:
        (only,) = failures(result(correctness=[Case("a", False, [said])]))
        assert only.pattern == said.pattern


def test_what_depends_on_the_order_without_a_race_was_never_set() -> None:
    fast = Case("a", False, [wrong(1, "order"), wrong(2, "all_wrong")])
    checked = Case("c", False, [replace(wrong(3), race_free=True)])
    (only,) = failures(result(correctness=[fast], safety=[checked]))
    assert (only.pattern, only.count) == ("unset_variable", 2)
    assert only.details.summary.endswith("such as a clock or an address?")


@pytest.mark.parametrize(("status", "is_doubted"), [("pass", True), ("fail", False)])
def test_barriers_are_not_to_blame_where_the_tests_of_safety_pass(
    status: Status, is_doubted: bool
) -> None:
    says = "out is wrong at 1 of 9 elements. The result changes with the order."
    order = replace(wrong(9, "order"), summary=says)
    checked = CriterionResult("safety", status, 1, 1, cases=(Case("c", True, []),))
    graded = result(correctness=[Case("a", False, [order])])
    (only,) = failures(replace(graded, criteria=[*graded.criteria, checked]))
    assert only.pattern == "order"
    assert (only.details == order) != is_doubted
    if is_doubted:
        assert only.details.summary.startswith("out is wrong at 1 of 9 elements. The result")
        assert "found no data race" in only.details.summary
        assert not hints.of(only.details, Lab("diff", "Difference", (), hints={"order": "Wait."}))


def test_a_read_that_a_race_explains_is_no_cause_of_its_own() -> None:
    race = Message("race", "data_race", places=(Place(16), Place(18)))
    cases = [Case("c", False, [race, found("uninitialized_read", 18)])]
    assert [cause.pattern for cause in failures(result(safety=cases))] == ["data_race"]
    cases = [Case("c", False, [race, found("uninitialized_read", 20)])]
    assert len(failures(result(safety=cases))) == 2

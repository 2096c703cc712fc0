"""What to fix: one entry per cause, the first to fix at the top."""

from __future__ import annotations

from tilelab.score.cases import Case, Message, Place
from tilelab.score.failures import failures
from tilelab.score.records import CriterionResult, Result


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


def test_what_may_be_why_comes_first() -> None:
    fast = [Case("a", False, [wrong(1, "first_wrong")]), Case("b", False, [wrong(2, "order")])]
    checked = [Case("c", False, [found("data_race", 12), found("out_of_bounds", 16)])]
    causes = failures(result(correctness=fast, safety=checked))
    assert [(cause.pattern, cause.line, cause.count) for cause in causes] == [
        ("out_of_bounds", 16, 1),
        ("data_race", 12, 2),
        ("first_wrong", None, 1),
    ]


def test_a_passed_test_and_a_skipped_call_are_no_causes() -> None:
    said = [Message("did not finish", "endless"), Message("Skipped", "skipped")]
    cases = [Case("a", False, said), Case("b", True, [Message("a note")])]
    assert [cause.pattern for cause in failures(result(correctness=cases))] == ["endless"]

"""What a student sees of a cause, in 80 columns, and the hints that follow."""

from __future__ import annotations

from msgspec.structs import replace

from tilelab.model.failure import Cause, Causes
from tilelab.screens import failure
from tilelab.tutor import cause_hints
from tilelab.tutor.progress import Progress

ONE = Cause("comparison", 2, "i <= n", "Which is the last one?", "Count from 0.", "line 2: i < n")
SOURCE = ["void f() {", "  if (i <= n) a();", "}"]


def shown(*found: Cause) -> list[str]:
    return [line.plain for line in failure.cause_lines(Causes(found), SOURCE, 80)]


def test_a_cause_is_its_line_and_a_question_and_not_the_edit() -> None:
    assert shown(ONE) == [
        "Cause: line 2. A small change there makes all tests pass.",
        "    2 | if (i <= n) a();",
        "      |     ^~~~~~",
        "  Which is the last one?",
    ]
    assert shown() == []


def test_two_causes_are_alternatives() -> None:
    assert shown(ONE, Cause("guard", 3, "}", "And here?", "", ""))[0] == (
        "Cause: either line 2 or line 3. A small change in one place makes all tests"
    )


def test_an_edit_of_two_lines_names_both() -> None:
    lines = shown(Cause("axes", 3, "}", "Which?", "", "", others=(1,)))
    assert lines[0] == "Cause: lines 1 and 3. Small changes there make all tests pass."
    assert lines[1] == "    1 | void f() {" and "    3 | }" in lines
    text = " ".join(shown(Cause("c", 2, "i", "?", "", "", is_all=False, others=(3,))))
    assert text.startswith("One cause: lines 2 and 3. Small changes there fix the first failure.")
    either = shown(ONE, Cause("guard", 3, "}", "And here?", "", "", others=(1,)))
    assert " ".join(either).startswith("Cause: either line 2 or lines 1 and 3. Small changes in")


def test_one_cause_of_several_says_so() -> None:
    text = " ".join(shown(Cause("c", 2, "i", "?", "", "", is_all=False)))
    assert text.startswith("One cause: line 2.")
    assert "Other tests may still fail." in text
    pair = Cause("c", 2, "i", "?", "", "", is_all=False, with_another=True)
    assert " ".join(shown(pair)[:2]) == (
        "One of several causes: line 2. With a small change there and another one elsewhere, "
        "the first failure is gone. Other tests may still fail."
    )
    both = [Cause("c", line, "i", "?", "", "", is_all=False) for line in (2, 3)]
    text = " ".join(shown(*both))
    assert text.startswith("One cause: either line 2 or line 3. A small change in one place fixes")


def test_the_change_itself_comes_after_another_check() -> None:
    failed = Progress("failed", "diff.cu")
    state = cause_hints.after_check(failed, Progress(), Causes((ONE,)))
    said = []
    for _ in range(4):
        lines, state = cause_hints.hint(state)
        said.append("\n".join(lines))
    assert "Count from 0." in said[0]
    assert "Which is the last one?" in said[1]
    assert all("i < n" not in one for one in said)
    again = cause_hints.after_check(failed, state, Causes((ONE,)))
    lines, _ = cause_hints.hint(again)
    assert "line 2: i < n" in "\n".join(lines)


def test_hints_begin_again_with_another_cause() -> None:
    failed = Progress("failed", "diff.cu")
    state = cause_hints.after_check(failed, Progress(), Causes((ONE,)))
    _, state = cause_hints.hint(state)
    other = Cause("guard", 3, "}", "?", "Idea of the other.", "")
    assert cause_hints.after_check(failed, state, Causes((other,))).cause_given == 0
    assert cause_hints.after_check(failed, state, Causes((ONE, other))).cause_given == 0
    assert cause_hints.after_check(failed, state, Causes()).causes == ()


def test_hints_about_one_of_several_causes_speak_of_all() -> None:
    failed = Progress("failed", "diff.cu", 2)
    other = Cause("guard", 3, "}", "And here?", "Idea of the other.", "line 3: b();", others=(1,))
    state = cause_hints.after_check(failed, Progress(), Causes((ONE, other)))
    idea, state = cause_hints.hint(state)
    assert idea[2:] == ["Count from 0.", "Or:", "Idea of the other."]
    place, state = cause_hints.hint(state)
    assert place[2:] == ["Line 2. Which is the last one?", "Or:", "Lines 1 and 3. And here?"]
    reminder, state = cause_hints.hint(state)
    assert reminder[:3] == [
        "Line 2 is the place: Which is the last one?",
        "Or:",
        "Lines 1 and 3 are the place: And here?",
    ]
    again = cause_hints.after_check(failed, state, Causes((ONE, other)))
    form, _ = cause_hints.hint(again)
    assert "  line 2: i < n" in form and "  line 3: b();" in form
    alike = Causes((ONE, replace(ONE, line=7)))
    idea, _ = cause_hints.hint(cause_hints.after_check(failed, Progress(), alike))
    assert idea[2:] == ["Count from 0."]

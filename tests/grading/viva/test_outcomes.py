"""What failures say of a mutant, and which choices next to it are false."""

from __future__ import annotations

from tilelab.model.case import Case, Message
from tilelab.viva import outcomes
from tilelab.viva.outcomes import Outcome


def _of(*, is_watched: bool = True, **failures: Case) -> Outcome | None:
    return outcomes.of(failures, is_watched=is_watched)


def _failed(pattern: str = "", element: str = "", summary: str = "It is wrong.") -> Case:
    message = Message("text", pattern, summary=summary, inputs=("n = 257",), element=element)
    return Case("a test", False, [message])


def test_a_wrong_element_is_told_with_its_index() -> None:
    found = _of(correctness=_failed("block_edges", "out[256]"), safety=_failed())
    assert found is not None and found.what == "Elements of the result are wrong or missing"
    assert (found.array, found.element, found.axes) == ("out", (256,), ())
    found = _of(correctness=_failed("", "out(row=0, column=32)"))
    assert found is not None and (found.element, found.axes) == ((0, 32), ("row", "column"))


def test_a_result_that_changes_is_a_race_only_if_one_was_seen() -> None:
    changing = _failed("order", "out[1]")
    assert _of(correctness=changing) is None
    assert _of(correctness=changing, safety=_failed("", "out[1]")) is not None
    race = _of(correctness=changing, safety=_failed("data_race"))
    outside = _of(correctness=changing, safety=_failed("out_of_bounds"))
    assert race is not None and race.what == "Two threads race for the same place in memory"
    assert outside is not None and outside.what.startswith("Something outside")
    # Both make elements wrong, so that is no wrong choice; and none is named as the first.
    assert "Elements of the result are wrong or missing" not in race.false + outside.false
    assert race.element == outside.element == ()


def test_what_was_not_watched_is_no_wrong_choice() -> None:
    watched = _of(correctness=_failed("", "out[1]"), safety=_failed("", "out[1]"))
    alone = _of(correctness=_failed("", "out[1]"), is_watched=False)
    assert watched is not None and alone is not None
    assert "Two threads race for the same place in memory" in watched.false
    assert "Two threads race for the same place in memory" not in alone.false
    assert "A launch fails" in alone.false


def test_nothing_found_and_nothing_known() -> None:
    nothing = _of()
    assert nothing is not None and nothing.what == outcomes.NOTHING
    assert _of(correctness=_failed("no_such_pattern")) is None
    traffic = _of(memory=_failed("bank_conflicts"))
    assert traffic is not None and traffic.what.startswith("The results are right")


def test_addresses_and_lines_of_other_texts_are_left_out() -> None:
    says = "writes address 0x7f1c, at diff.cu:200. Most of it comes from diff.cu:12 (100%)."
    found = _of(memory=_failed("out_of_bounds", summary=says))
    assert (
        found is not None
        and found.says == "The test 'a test' fails: writes an address, at diff. (n = 257)"
    )

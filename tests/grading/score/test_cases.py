"""The same test on several backends."""

from __future__ import annotations

from tilelab.score import cases
from tilelab.score.cases import Case, Message


def test_a_test_passes_only_if_it_passes_everywhere() -> None:
    def found(*passed: bool, says: str) -> list[Case]:
        return [Case(f"{i}", ok, [] if ok else [Message(says)]) for i, ok in enumerate(passed)]

    merged = cases.merge([found(True, False, False, says="a"), found(False, True, False, says="b")])
    assert [(case.passed, case.texts) for case in merged] == [
        (False, ["b"]),
        (False, ["a"]),
        (False, ["a"]),
    ]


def test_a_message_of_the_compiler_names_its_place() -> None:
    assert cases.located('diff.cu:9:3: error: no ";"') == cases.Place(9, says='error: no ";"')
    assert cases.located("There is no diff.cu.") is None


def test_a_place_finds_its_word() -> None:
    code = "s[tx] += ss[tx];"
    assert cases.Place(1, "s").spans(code) == [(0, 1)]
    assert cases.Place(1, "+=").spans(code) == [(6, 8)]
    assert cases.Place(1, "gone").spans(code) == cases.Place(1).spans(code) == [(0, 16)]

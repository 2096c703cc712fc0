"""The same test on several backends."""

from __future__ import annotations

from tilelab.model.case import Case, Message
from tilelab.score import cases


def test_a_test_passes_only_if_it_passes_everywhere() -> None:
    def found(*passed: bool, says: str) -> list[Case]:
        return [Case(f"{i}", ok, [] if ok else [Message(says)]) for i, ok in enumerate(passed)]

    merged = cases.merge([found(True, False, False, says="a"), found(False, True, False, says="b")])
    assert [(case.passed, case.texts) for case in merged] == [
        (False, ["b"]),
        (False, ["a"]),
        (False, ["a"]),
    ]

"""Places in a submission."""

from __future__ import annotations

from tilelab.model.case import Place, located


def test_a_message_of_the_compiler_names_its_place() -> None:
    assert located('diff.cu:9:3: error: no ";"') == Place(9, says='error: no ";"')
    assert located("There is no diff.cu.") is None


def test_a_place_finds_its_word() -> None:
    code = "s[tx] += ss[tx];"
    assert Place(1, "s").spans(code) == [(0, 1)]
    assert Place(1, "s + s").spans(code) == [(0, 16)] == Place(1).spans(code)
    assert Place(1, "+=").spans(code) == [(6, 8)]
    assert Place(1, "gone").spans(code) == Place(1).spans(code) == [(0, 16)]

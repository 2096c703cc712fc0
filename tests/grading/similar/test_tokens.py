"""Tokens without what people vary."""

from __future__ import annotations

from tilelab.similar.tokens import PASSAGE, passages, tokens


def texts(source: str) -> list[str]:
    return [token.text for token in tokens(source)]


def test_names_comments_and_white_space_do_not_count() -> None:
    one = "__global__ void sum(const int* in) { int a = in[threadIdx.x]; } // mine\n"
    other = '#include "x.h"\n/* yours */ __global__\nvoid total(const int *data)\n'
    other += "{\n  int b=data[threadIdx.x];\n}\n"
    assert texts(one) == texts(other)


def test_numbers_operators_and_built_in_names_count() -> None:
    base = texts("a = b[threadIdx.x + 1];")
    for other in ("a = b[threadIdx.x + 2];", "a = b[threadIdx.x - 1];", "a = b[blockIdx.x + 1];"):
        assert texts(other) != base


def test_tokens_know_their_lines() -> None:
    found = tokens("\n\nint a;\n/* two\nlines */ int b;\n")
    assert [(token.text, token.line) for token in found] == [
        ("int", 3),
        ("name", 3),
        (";", 3),
        ("int", 5),
        ("name", 5),
        (";", 5),
    ]


def test_a_short_text_has_no_passage() -> None:
    of = tokens("int a;" * (PASSAGE // 3))
    assert len(passages(of)) == 1 and passages(of[:-1]) == []

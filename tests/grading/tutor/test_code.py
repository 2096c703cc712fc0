"""A file without comments and white space, and where in the file things are."""

from __future__ import annotations

import pytest

from tilelab.tutor.code import code_of

TEXT = """\
int a;  // tile[0] = 1
/* b
   c */ tile [ tx ] =
    in[i];
#pragma unroll 8
__syncthreads
    ();
"""


def test_layout_and_comments_do_not_matter() -> None:
    assert code_of(TEXT).text == "inta;tile[tx]=in[i];pragmaunroll8__syncthreads();"


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        (r"tile\[[^;]*;", [range(3, 5)]),
        (r"tile[^;]*;.*(__sync)", [range(6, 7)]),  # the group
        ("pragma", [range(5, 6)]),
        (r"\[", [range(3, 4), range(4, 5)]),
        ("^(?!.*nothing)", []),  # matches, but is nowhere
        ("c", [range(6, 7)]),
    ],
)
def test_a_match_is_in_its_lines(pattern: str, lines: list[range]) -> None:
    assert list(code_of(TEXT).lines_of(pattern)) == lines


@pytest.mark.parametrize(
    ("hint", "shows"),
    [
        ("`tile[tx] = in[i];`", True),
        ("Write `tile[tx]   =\tin[i];` first.", True),
        ("`something` and `in[ i ]`", True),
        ("tile[tx] = in[i];", False),  # not quoted as code
        ("`tile[tx] = in[j];`", False),
        ("Think about it.", False),
    ],
)
def test_code_is_what_a_hint_quotes(hint: str, shows: bool) -> None:
    assert code_of(TEXT).shows(hint) == shows


def test_an_empty_file_has_nothing() -> None:
    assert code_of("// nothing\n").text == ""
    assert not code_of("").has("x")


def test_a_search_that_would_take_hours_ends() -> None:
    code = code_of("tile[a=1;" * 28_000)  # as large as a submission may be
    stored = r"tile\[[^\]]*\]="
    code.look_for(["tile", stored])
    assert code.has("tile")
    assert code.is_slow(stored)
    assert not code.has(stored)


def test_an_expression_that_takes_ages_in_any_file_ends() -> None:
    code = code_of("a" * 40)
    assert code.is_slow("(?:a|a)*b")
    assert not code.is_slow("a*b")
    assert not list(code.lines_of("(?:a|a)*b"))

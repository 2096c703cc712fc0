"""Which changes of a file are mutants, and what they make of it."""

from __future__ import annotations

from tilelab.repairs.code import parse
from tilelab.viva import mutants


def _changes(text: str) -> set[tuple[int, str, str]]:
    """The line, the sort and the changed line of each mutant."""
    code = parse(text)
    found = set()
    for one in mutants.of(code):
        changed = one.edit.applied(code.text).decode().split("\n")[one.line - 1]
        found.add((one.line, one.sort, changed.strip()))
    return found


def test_the_mutants_of_a_kernel_with_a_tile(tile: str) -> None:
    launch = "diff_kernel<<<{}, block>>>(in, out, n);"
    up = launch.format("(n + block - 1) / block")
    assert _changes(tile) == {
        (6, "statement", "if (i < n) ;"),
        (6, "guard", "if (true) tile[tx] = in[i];"),
        (6, "comparison", "if (i <= n) tile[tx] = in[i];"),
        (7, "barrier", ";"),
        (8, "guard", ";"),
        (8, "comparison", "if (i > n) return;"),
        (10, "statement", "if (tx > 0) ;"),
        (10, "comparison", "if (tx >= 0) left = tile[tx - 1];"),
        (10, "index", "if (tx > 0) left = tile[tx];"),
        (11, "statement", "else if (i > 0) ;"),
        (11, "guard", "else if (true) left = in[i - 1];"),
        (11, "comparison", "else if (i >= 0) left = in[i - 1];"),
        (11, "index", "else if (i > 0) left = in[i];"),
        (12, "statement", ";"),
        (15, "comparison", f"if (n >= 0) {up}"),
        (15, "rounding", f"if (n > 0) {launch.format('n / block')}"),
    }


def test_a_padded_row_loses_its_padding() -> None:
    text = "__global__ void k() { __shared__ float tile[32][32 + 1]; tile[0][0] = 1; }"
    assert (1, "padding", text.replace("32 + 1", "32")) in _changes(text)


def test_code_in_a_question_cannot_end_its_quotation() -> None:
    text = "__global__ void k(char* a) { if (a[0] < '`') a[0] = '`'; }"
    assert all(one.says.count("`") % 2 == 0 for one in mutants.of(parse(text)))
    assert not any("'`'" in one.says for one in mutants.of(parse(text)))


def test_a_file_that_is_no_program_has_none() -> None:
    for text in ("", "}}}}", "__global__ void k(", "\u202e" * 40):
        assert list(mutants.of(parse(text))) == []

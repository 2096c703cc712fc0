"""Many repairs as one text, of which a worker runs one."""

from __future__ import annotations

import pytest

from tilelab.labs import lab
from tilelab.repairs import schemata, sites
from tilelab.repairs.code import parse
from tilelab.repairs.edit import Change, Edit, Kind

DIFF = lab.load("diff")
KIND = Kind("a kind", "A question?", "An idea.")
TEXT = """#include "diff.h"
__global__ void k(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  __shared__ int tile[32 / 2 + 1];
  if (i < n) {
    out[i] = in[i];
  }
}
void diff(const int* in, int* out, int n) { k<<<n / 256, 256>>>(in, out, n); }
"""


def edit(*changes: tuple[str, str]) -> Edit:
    """An edit that puts texts into the places of others, or behind them."""
    found = []
    for old, new in changes:
        begin = TEXT.index(old)
        if new.startswith("+"):
            begin, old, new = begin + len(old), "", new[1:]
        found.append(Change(begin, begin + len(old), new))
    return Edit(KIND, 1, "", tuple(found))


COMPARISON = edit(("i < n", "i <= n"))
ELEMENT = edit(("in[i]", "in[i + 1]"))
STATEMENT = edit(("out[i] = in[i];", "if (i > 0) out[i] = in[i];"))
CHOSEN = [
    COMPARISON,
    ELEMENT,
    STATEMENT,
    edit(("= in[i];", "+ __syncthreads();")),
    edit(("blockIdx.x", "threadIdx.x"), ("threadIdx", "blockIdx")),
    edit(("n / 256", "(n + 255) / 256")),
]


def joined(*edits: Edit, alone: frozenset[int] = frozenset()) -> schemata.Schemata:
    return schemata.join(parse(TEXT), dict(enumerate(edits, 1)), alone, DIFF)


def places_of(text: str) -> int:
    return text.count("namespace tl_")


def test_edits_in_different_places_share_a_copy_of_the_text() -> None:
    found = joined(*CHOSEN)
    assert places_of(found.text) == 1
    for number in range(1, 7):
        assert f"tl_version == {number}u" in found.text


@pytest.mark.parametrize(
    "change",
    [
        ("const int i", "const float i"),
        ("const int i", "int j = 0; const int i"),
        ("__global__", "__global__ __launch_bounds__(8)"),
        ("32 / 2 +", "32 / 4 +"),
    ],
)
def test_what_cannot_be_chosen_in_its_place_has_a_copy_of_its_own(change: tuple[str, str]) -> None:
    found = joined(COMPARISON, edit(change)).text
    assert places_of(found) == 2
    assert "case 2: return tl_1::diff" in found


def test_what_is_inserted_behind_a_block_can_be_chosen_there() -> None:
    after = edit(("in[i];\n  }", "+ __syncthreads();"))
    found = joined(COMPARISON, after)
    assert places_of(found.text) == 1
    assert "tl_version == 2u" in found.text


def test_an_argument_of_a_template_is_chosen_with_its_statement() -> None:
    text = "void f() { wait<2 - 1>(); }"
    begin = text.index("1>")
    change = Edit(KIND, 1, "", (Change(begin, begin + 1, "0"),))
    found = sites.of(change, parse(text))
    assert found is not None
    assert [one.text for one in found] == ["wait<2 - 0>();"]


def test_an_error_names_the_edit_in_whose_text_it_is() -> None:
    found = joined(COMPARISON, STATEMENT)
    lines = found.text.splitlines()
    assert found.numbers[1 + lines.index("i <= n")] == (1,)
    assert found.numbers[1 + lines.index("if (i > 0) out[i] = in[i];")] == (2,)
    [other] = [i + 1 for i, line in enumerate(lines) if "const int i" in line]
    assert found.numbers[other] == (1, 2)


def test_an_edit_inside_of_another_is_part_of_what_stands_there_otherwise() -> None:
    found = joined(STATEMENT, ELEMENT).text
    outer, inner = found.index("tl_version == 1u"), found.index("tl_version == 2u")
    assert outer < found.index("} else {", outer) < inner


def test_an_edit_can_be_kept_alone() -> None:
    found = joined(COMPARISON, ELEMENT, alone=frozenset({2}))
    assert places_of(found.text) == 2
    assert "in[i + 1]" in found.text
    assert "tl_version == 2u" not in found.text


def test_includes_come_first_and_once() -> None:
    found = joined(COMPARISON, edit(("const int i", "const float i"))).text
    assert found.startswith('#include "diff.h"\n')
    assert found.count("#include") == 1


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_functions_of_each_lab_call_the_chosen_copy(name: str) -> None:
    the_lab = lab.load(name)
    code = parse(the_lab.baseline.read_text())
    whole = Edit(KIND, 1, "", (Change(0, 0, "// another\n"),))
    text = schemata.join(code, {1: whole}, frozenset(), the_lab).text
    header = the_lab.header.read_text()
    functions = header.count("F(") + header.count("FUNCTION(")
    assert text.count("default: return tl_0::") >= 1
    assert text.count("default: return tl_0::") == text.count("case 1: return tl_1::") <= functions


def test_what_may_change_a_type_stands_around_what_does_not() -> None:
    """So the compiler names its line, and not that of another repair of the same words."""
    real = edit(("in[i]", "(float)in[i]"))
    for edits in ((ELEMENT, real), (real, ELEMENT)):
        found = joined(*edits)
        assert places_of(found.text) == 1
        assert found.text.index("(float)in[i]") < found.text.index("in[i + 1]")


def test_the_size_of_a_real_number_is_a_whole_one() -> None:
    """So it is cast to the type of what stood there."""
    found = joined(edit(("n / 256", "n * sizeof(float) / 256")))
    assert "static_cast" in found.text

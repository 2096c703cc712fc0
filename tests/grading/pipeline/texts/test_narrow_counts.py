"""Which texts may count or index in a narrow type."""

from __future__ import annotations

import pytest

from tilelab.labs import lab
from tilelab.pipeline.texts import narrow_counts
from tilelab.pipeline.texts.tokens import parse


@pytest.mark.parametrize(
    "text",
    [
        "float i = (float)row * columns + column;",
        "auto i = static_cast<float>(row) * columns;",
        "auto i = float(row) * columns;",
        "auto i = float{row};",
        "auto i = __int2float_rn(row);",
        "for (float i = 0; i < n; i += 1) {}",
        "float i = blockIdx.x * blockDim.x + threadIdx.x;",
        "float i = row * columns + column; x = in[(int)i];",
        "float i = row * columns + column; x = in[static_cast<size_t>(i + 1)];",
        "#define INDEX(row) (float)(row)\n",
        "unsigned short tile = atomicAdd(next, 1);",
        "auto tile = static_cast<std::uint16_t>(blockIdx.x);",
        "struct Place { unsigned tile : 16; };",
        "struct Place { std::uint32_t tile : 2 * 8 = 0, slot : 8; };",
        "constexpr int bits = 16; struct Place { int tile : (bits); };",
    ],
)
def test_a_narrow_count_is_found(text: str) -> None:
    assert narrow_counts.may_count(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "float difference(float left, float right) { return right - left; }",
        "void f(const float (*rows)[3], float (&column)[4]);",
        "float v = in[blockIdx.x * blockDim.x + threadIdx.x];",
        "float v = i < n ? in[i] : 0; out[static_cast<int>(threadIdx.x)] = v;",
        "float2 shorter = make_float2(shortest, 0);",
        "struct Tile : Shape {}; enum class Kind : int { a, b };",
        "for (const int v : row) sum += v; for (int v : {1, 2}) sum += v;",
        "switch (kind) { case first : out[i] = 1; default: return n ? i : 16; }",
        "double i = (double)row * columns + column;",
    ],
)
def test_arithmetic_in_float_is_no_conversion(text: str) -> None:
    assert not narrow_counts.may_count(parse(text))


@pytest.mark.parametrize("name", ["diff", "first_kernel", "scan", "transpose"])
def test_no_reference_solution_pays_for_a_long_call(name: str) -> None:
    text = lab.load(name).reference.read_text(encoding="utf-8")
    assert not narrow_counts.may_count(parse(text))

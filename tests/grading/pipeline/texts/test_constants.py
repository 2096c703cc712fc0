"""Which numbers of a text count as places where a submission may change what it does."""

from __future__ import annotations

import itertools
import time

import pytest

from tilelab.pipeline.texts import constants
from tilelab.pipeline.texts.tokens import parse


def found(text: str) -> list[int]:
    return constants.of(parse(text))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("if (n > 80000) stray();", 80_000),
        ("if (n > 80'000u) stray();", 80_000),
        ("if (n > 0x1'3880) stray();", 80_000),
        ("if (n > 0b10011100010000000) stray();", 80_000),
        ("if (n > 0234200) stray();", 80_000),
        ("if (n > 8e4f) stray();", 80_000),
        ("if (n > 1 << 16) stray();", 65_536),
        ("if (rows * columns > 400L * 400) stray();", 160_000),
        ("if (n > (256 + 1) * 256 - 3) stray();", 65_789),
        ("if (n > size_t{400} * 400) stray();", 160_000),
        ("if (n > (1 << 20) / 3) stray();", 349_525),
        ("constexpr int side = 400; if (n > side * side) stray();", 160_000),
        ("constexpr int a{25}, b = 4 * a; if (n > b * b) stray();", 10_000),
        ("enum { side = 400 }; if (n > side * side) stray();", 160_000),
        ("#define SIDE 400\nif (n > SIDE * SIDE) stray();", 160_000),
        ("#define LIMIT (SIDE * SIDE)\n#define SIDE 400\nif (n > LIMIT) stray();", 160_000),
        ("#define LIMIT 80000\nif (n > LIMIT) stray();", 80_000),
        ("if (n >> 16) stray();", 65_536),
        ("if (n > 80000.5f) stray();", 80_000),
        ("if (n > INT_MAX / 1024) stray();", 2_097_151),
        ("if (n > 4 * UINT16_MAX) stray();", 262_140),
        ("if (n > -(INT_LEAST32_MIN / 1024)) stray();", 2_097_152),
        ("if (n > ~0u / 4096) stray();", 1_048_575),
        ("if (n > 1 / FLT_EPSILON) stray();", 8_388_608),
        ("if (n > std::numeric_limits<short>::max() * 4) stray();", 131_068),
        ("if (n > 4 * std::numeric_limits<unsigned short>::max()) stray();", 262_140),
        ("if (n > 1 << std::numeric_limits<float>::digits) stray();", 1 << 24),
        ("using std::numeric_limits; n > numeric_limits<std::int16_t>::max();", 32_767),
    ],
)
def test_a_constant_is_found(text: str, number: int) -> None:
    assert number in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "// 80000",
        'print("80000");',
        "if (x < 0.5f) y = 1e-6f;",
        "int a = 0; int b = 0xffffffff; double c = 1e30;",
        "int a = 1 / 0;",
        "int a = 4 % 0;",
        "x = (((;",
    ],
)
def test_other_numbers_are_left_out(text: str) -> None:
    assert not set(found(text)) - {1, 4}


@pytest.mark.parametrize(
    "text",
    [
        "if (blockIdx.x == 17) stray();",
        "if (blockIdx.x != 17) __syncthreads();",
        "if (17 == blockIdx.x) stray();",
        "if (i < n && gridDim.x >= 17 && odd) stray();",
        "const int b = blockIdx.x; if (b > 8 * 2 + 1) stray();",
        "constexpr int last = 17; if (blockIdx.y * 2 < last) stray();",
        "#define LAST 17\nif (blockIdx.x == LAST) stray();",
    ],
)
def test_a_number_of_a_block_is_found(text: str) -> None:
    assert constants.of_blocks(parse(text))[-1] == 17


@pytest.mark.parametrize(
    "text",
    [
        "if (threadIdx.x == 17) stray();",
        "if (n == 17) stray(blockIdx.x);",
        "k<<<17, 256>>>(in, out, n);",
        "const int i = blockIdx.x * 17 + threadIdx.x; if (i < n) out[i] = in[i] >> 17;",
        "if (blockIdx.x == 0) first();",
    ],
)
def test_other_numbers_are_no_blocks(text: str) -> None:
    assert not constants.of_blocks(parse(text))


def test_a_function_like_macro_is_no_constant() -> None:
    assert found("#define F (3)\n#define G(x) (5)\nint a = F * 7 + G * 11;") == [3, 5, 7, 11, 21]


def test_a_hostile_text_takes_no_longer_than_others() -> None:
    begin = time.process_time()
    for piece in ("(", "-", "numeric_limits<", "1+", "1<<", "const a=", "{(", "9*"):
        found(piece * 5_000)
    assert time.process_time() - begin < 6


def test_a_hostile_text_takes_no_longer_for_blocks() -> None:
    begin = time.process_time()
    for piece in ("a<", "blockIdx+", "if(n<5)g();"):
        assert constants.of_blocks(parse(piece * 10_000)) == []
    assert time.process_time() - begin < 6


def test_many_small_numbers_hide_no_large_one() -> None:
    assert found(" ".join(map(str, range(5000))))[-1] == 4999


def test_of_very_many_numbers_there_are_some_of_any_size() -> None:
    some = found(" ".join(map(str, range(50_000))))
    assert len(some) <= 8192
    assert some == sorted(some)
    assert some[-1] == 49_999
    assert max(b - a for a, b in itertools.pairwise([0, *some])) < 10

"""Calls of lab.toml, what a judge is asked about them, and the arguments of their launches."""

from __future__ import annotations

import struct

import pytest

from tilelab.base.errors import InfraError
from tilelab.pipeline.estimating import arguments, calls, results


def test_a_call_has_a_function_and_arguments() -> None:
    assert calls.parts_of("f(zeros(9 * sizeof(int)), W{{1, 2}}, -3)") == (
        "f",
        ("zeros(9 * sizeof(int))", "W{{1, 2}}", "-3"),
    )
    assert calls.parts_of("f()") == ("f", ())


def test_arrays_are_made_in_the_order_of_the_parameters() -> None:
    assert calls._statements("f(bits(4), 7, zeros(8))") == (
        "{ const auto array0 = bits(4); const auto array2 = zeros(8); forget(); "
        "f(array0, 7, array2); }"
    )


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("33'554'432", (33554432,)),
        ("-0.25f", (-0.25,)),
        ("1e-3", (0.001,)),
        ("7u", (7,)),
        ("Weights{{0.5f, 0.25f}}", (0.5, 0.25)),
        ("Grid{1, {2, 3}}", (1, 2, 3)),
    ],
)
def test_a_scalar_is_its_numbers(text: str, numbers: tuple[float, ...]) -> None:
    assert results._numbers(text) == numbers


@pytest.mark.parametrize("text", ["4 * 1024", "n", "sizeof(int)", "f(3)"])
def test_what_is_no_number_is_not_guessed(text: str) -> None:
    with pytest.raises(InfraError, match="is not made of numbers alone"):
        results._numbers(text)


def word(kind: str, value: float) -> str:
    return struct.pack(f"<{kind}", value).hex()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (word("i", 1000), word("i", 1000), True),
        (word("i", 1000), word("i", 999), False),
        (word("q", 1000), word("q", 999), False),
        (word("f", 0.1234567), word("f", 0.123457), True),
        (word("d", 0.1234567), word("d", 0.123457), True),
        (word("f", 0.1), word("f", 0.2), False),
        (word("f", 0.0), word("f", 0.2), False),
        (word("q", 0x7F0000001000), word("q", 0x7F0000001000), True),
        (word("q", 0x7F0000001000), word("q", 0x7F0000001004), False),
        (word("q", 0x7E0000001000), word("q", 0x7E0000000000), True),
        (word("i", 7), word("q", 7), False),
        (word("i", 7), f"{word('i', 7)} {word('i', 7)}", False),
    ],
)
def test_arguments_are_the_same_up_to_rounding(one: str, other: str, same: bool) -> None:
    assert arguments.are_alike([one], [other], None) == same


def test_only_the_first_launches_are_observed() -> None:
    assert arguments.are_alike(["01", "02"], ["01"], None)
    assert not arguments.are_alike(["01"], ["01", "02"], None)


def test_a_value_that_nobody_knows_is_not_compared() -> None:
    known, long, other = word("i", 7), 16 * "00", 16 * "01"
    assert arguments.are_alike([f"{known} {long}"], [f"{known} {other}"], 8)
    assert not arguments.are_alike([f"{known} {long}"], [f"{known} {other}"], None)

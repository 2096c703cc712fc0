"""Answers that a new lab can have, and what is said about the others."""

from __future__ import annotations

import math
import tomllib

import pytest
from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.setup import lab_choices

DIFF = lab.load("diff")


def course(*orders: float) -> list[Lab]:
    """Labs called a, b, c ... with these places."""
    return [
        replace(DIFF, name=chr(ord("a") + number), order=order)
        for number, order in enumerate(orders)
    ]


@pytest.mark.parametrize(
    "title", ["Matrix transpose", " A ", "Año 2: K-means (f/g) & more!", "x" * 60, "行列"]
)
def test_a_title_is_kept_and_fits_into_a_table_of_toml(title: str) -> None:
    found = lab_choices.title(title)
    assert found == title.strip()
    assert tomllib.loads(f'title = "{found}"')["title"] == found


@pytest.mark.parametrize(
    "title",
    ["", " ", "...", "x" * 61, 'a "b"', "a\\b", "a|b", "a\nb", "a_b", "`a`", "\x1b[31m", "<"],
)
def test_a_title_that_would_break_a_page_is_refused(title: str) -> None:
    with pytest.raises(UserError, match=r"^a title ") as caught:
        lab_choices.title(title)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    ("places", "after", "order"),
    [
        ((), "first", 1),
        ((0, 1, 2), "first", -1),
        ((0, 1, 2), "a", 0.5),
        ((0, 1, 2), "c", 3),
        ((0, 0.5, 1), " a ", 0.25),
        ((1, 2.5), "b", 3),
        ((1, 1, 2), "a", 1.5),
        ((1, math.inf), "a", 2),
        ((1, math.inf), "b", math.inf),
    ],
)
def test_a_lab_comes_right_after_another(
    places: tuple[float, ...], after: str, order: float
) -> None:
    assert lab_choices.order(after, course(*places)) == order


def test_a_lab_that_is_not_there_has_no_place_after_it() -> None:
    with pytest.raises(UserError, match=r"^there is no lab .z.; the answers are: first, a, b$"):
        lab_choices.order("z", course(1, 2))


def test_a_lab_usually_comes_last() -> None:
    assert lab_choices.usual_place(course(1, 2, math.inf)) == "b"
    assert lab_choices.usual_place(course(math.inf)) == lab_choices.usual_place([]) == "first"


def test_points_are_those_of_the_criteria() -> None:
    usual = lab_choices.usual_points(is_timed=True)
    assert lab_choices.points_of(usual, is_timed=True) == {
        "correctness": 40,
        "safety": 10,
        "memory": 20,
        "speed": 30,
    }
    found = lab_choices.points_of("60, 30,10", is_timed=False)
    assert list(found.items()) == [("correctness", 60), ("safety", 30), ("memory", 10)]
    untimed = lab_choices.usual_points(is_timed=False)
    assert sum(lab_choices.points_of(untimed, is_timed=False).values()) == 100


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "points are 4 whole numbers above 0, for correctness, safety, memory and speed"),
        ("100", "points are 4 whole numbers"),
        ("40 10 20 30 0", "points are 4 whole numbers"),
        ("70 10 20 0", "points are 4 whole numbers above 0"),
        ("40 10 20 -30", "points are 4 whole numbers"),
        ("40 10 20 3e1", "points are 4 whole numbers"),
        ("40 10 20 31", "the points of a lab add up to 100; these make 101"),
    ],
)
def test_other_points_are_refused(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        lab_choices.points_of(text, is_timed=True)
    assert str(caught.value).startswith(says)


def test_an_element_is_a_number() -> None:
    assert lab_choices.element(" int ") == "int"
    with pytest.raises(UserError, match="an element is one of: float, double, int"):
        lab_choices.element("bool")

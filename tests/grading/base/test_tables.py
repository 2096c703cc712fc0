"""What is wrong in a TOML file is one line that names the file, the key and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from tilelab.base import tables
from tilelab.base.errors import UserError
from tilelab.base.fields import Finite, Positive, Text, Texts, Whole


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    points: Positive
    days: Whole = 1
    names: Texts = ()
    quick: bool = False


class File(Struct, frozen=True, forbid_unknown_fields=True):
    title: Text = ""
    order: Finite = 0
    inner: Inner | None = None
    by_name: dict[str, dict[str, Inner]] = {}
    many: tuple[Inner, ...] = ()


def read(tmp_path: Path, text: str) -> File:
    path = tmp_path / "x.toml"
    path.write_text(text)
    return tables.read(path, File, lambda file: file)


def test_numbers_stay_as_they_were_written(tmp_path: Path) -> None:
    found = read(tmp_path, "order = 2\n[inner]\npoints = 60\n")
    assert repr((found.order, found.inner.points if found.inner else 0)) == "(2, 60)"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "titles = 'x'",
            "unknown key titles; expected one of title, order, inner, by_name, many. ",
        ),
        ("titles = 'x'", "Did you mean title?"),
        ("[inner]\npoint = 1", "unknown key inner.point; expected one of points, days, names"),
        ("[inner]\npoint = 1", "Did you mean points?"),
        ("inner = 3", "inner must be a table"),
        ("[inner]", "inner.points is missing: it must be a number greater than 0"),
        ("[inner]\npoints = nan", "inner.points must be a number greater than 0"),
        ("[inner]\npoints = true", "inner.points must be a number greater than 0"),
        ("[inner]\npoints = 1\ndays = 1.5", "inner.days must be a whole number greater than 0"),
        ("[inner]\npoints = 1\nnames = ['a', '']", "inner.names[2] must be a non-empty string"),
        ("[inner]\npoints = 1\nquick = 1", "inner.quick must be true or false"),
        ("order = nan", "order must be a number"),
        ("[by_name]\na = 1", "by_name.a must be a table"),
        ("[by_name.a.x]\npoints = 1\n[by_name.b.y]\npoints = 0", "by_name.b.y.points must be"),
        ("[by_name.a.x]\npoints = 1\n[by_name.b.y]\npoint = 0", "unknown key by_name.b.y.point;"),
        ("[by_name.a]\nx = {points = 1}\ny = {}", "by_name.a.y.points is missing: it must be"),
        ("[[many]]\npoints = 1\n[[many]]\npoints = 'x'", "many[2].points must be a number"),
        ("[many]\npoints = 1", "many must be an array of tables: [[many]]"),
        ("many = [3]", "many[1] must be a table"),
        ("title = 'x", "x.toml: "),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'x.toml'}: ")
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_nothing_is_suggested_that_is_not_near(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"expected one of [a-z_, ]*$"):
        read(tmp_path, "color = 3")

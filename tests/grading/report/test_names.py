"""Names of folders for students whose keys are anything but names."""

from __future__ import annotations

import re

import pytest

from tilelab.report.names import folder_names

SAFE = re.compile(r"[A-Za-z0-9_-]+-[0-9a-f]{12}")


@pytest.mark.parametrize("key", ["amber", "s1234567", "0012", "ada.lovelace@example.org", "José"])
def test_a_plain_key_is_its_own_name(key: str) -> None:
    assert folder_names([key]) == {key: key}


@pytest.mark.parametrize(
    "key",
    [
        *("..", ".", "../../etc/passwd", "/root", "C:\\Users", "a/b", "a b", "-rf", ".hidden"),
        *("con", "NUL.txt", "Com1", "dot.", "", "x" * 300, "a\nb", "a\x00b", "\u202eevil"),
        *("e\u0301", "a*?<>|:b", "\ud800", "amber-0123456789ab"),
    ],
)
def test_any_other_gets_a_marked_name(key: str) -> None:
    assert SAFE.fullmatch(folder_names([key])[key])


def test_no_two_students_share_a_folder_on_any_system() -> None:
    keys = ["amber", "Amber", "AMBER", "a b", "a-b", "a.b", "a/b", "..", "."]
    names = folder_names(keys)
    assert len({name.casefold() for name in names.values()}) == len(keys)
    # Nobody can name themselves like the mark of another.
    rival = names["a b"]
    both = folder_names(["a b", rival])
    assert both["a b"] != both[rival]

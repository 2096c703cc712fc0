"""Folders of students: safe on every system, and never two for one or one for two."""

from __future__ import annotations

import unicodedata

import pytest

from tilelab.collect.folder_names import Folders, folder_name


@pytest.mark.parametrize("name", ["amber", "0042", "Amber Stone_10023", "a@uni.edu", "Zoë"])
def test_good_names_stay(name: str) -> None:
    assert folder_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "..",
        ".",
        "",
        "/etc/passwd",
        "a\\b",
        "CON",
        "nul.txt",
        "-rf",
        ".hidden",
        "x" * 300,
        "ä" * 300,
        "tab\tnew\nline\x1b[31m",
        "\u202excu.diff",
        "a\udcff",
        "end. ",
        "collected.json",
    ],
)
def test_bad_names_become_safe(name: str) -> None:
    safe = folder_name(name)
    assert safe == folder_name(name) != name
    assert not safe.startswith((".", "-")) and not safe.endswith((".", " "))
    assert not set(safe) & set('/\\:*?"<>|') and safe.isprintable()
    assert len(safe.encode()) <= 120


def test_no_two_become_one() -> None:
    names = ["a/b", "a\\b", "a_b", "a:b", "x" * 300, "x" * 301]
    assert len({folder_name(name).casefold() for name in names}) == len(names)


def test_accents_are_encoded_in_one_way() -> None:
    assert folder_name(unicodedata.normalize("NFD", "Zoë")) == "Zoë"


def test_names_that_differ_only_in_case_get_two_folders() -> None:
    folders = Folders()
    first, second = folders.named("Amber"), folders.named("amber")
    assert first == "Amber" and second.startswith("amber-")
    assert (folders.named("Amber"), folders.named("amber")) == (first, second)
    # The next time, one of them may hand in nothing.
    assert Folders(taken=[first, second]).named("amber") == second


def test_a_stranger_never_gets_the_folder_of_a_student() -> None:
    assert Folders(reserved=["amber"]).named("amber").startswith("amber-")

"""The fuzzers' targets, without building them."""

from __future__ import annotations

import re

import pytest

from tilelab.base.repository import REPO
from tilelab.maintain.fuzzing import TARGETS

_FOLDER = REPO / "tests" / "common" / "fuzz"


def test_the_sources_are_the_targets() -> None:
    assert {one.name.removesuffix("_fuzz.cpp") for one in _FOLDER.glob("*.cpp")} == set(TARGETS)


def test_the_seeds_are_of_targets() -> None:
    assert {one.name for one in (_FOLDER / "seeds").iterdir()} == set(TARGETS)


def test_cmake_builds_the_targets() -> None:
    text = (_FOLDER / "CMakeLists.txt").read_text(encoding="utf-8")
    built = re.search(r"foreach\(name IN ITEMS ([\w ]+)\)", text)
    assert built is not None
    assert built[1].split() == list(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_has_seeds(name: str) -> None:
    assert any((_FOLDER / "seeds" / name).iterdir())


@pytest.mark.parametrize("pattern", sorted({one for many in TARGETS.values() for one in many}))
def test_what_a_target_also_starts_from_exists(pattern: str) -> None:
    assert any(one.is_dir() for one in REPO.glob(pattern))

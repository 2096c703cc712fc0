"""The table of what a symptom is often caused by names kinds and symptoms that exist."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

import pytest

from tilelab.base.repository import REPO
from tilelab.labs import lab
from tilelab.repairs import families
from tilelab.repairs.edit import Kind
from tilelab.repairs.often import OFTEN


def kinds_in(value: object) -> Iterator[str]:
    if isinstance(value, Kind):
        yield value.name
    elif isinstance(value, Mapping):
        yield from kinds_in(tuple(value.values()))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from kinds_in(one)


@pytest.fixture(scope="module")
def kinds() -> set[str]:
    modules = pkgutil.walk_packages(families.__path__, f"{families.__name__}.")
    found = (importlib.import_module(one.name) for one in modules)
    return {name for module in found for name in kinds_in(tuple(vars(module).values()))}


@pytest.fixture(scope="module")
def judges() -> str:
    sources = [*(REPO / "common").rglob("*.cpp"), *(REPO / "tests/labs").rglob("*.cpp")]
    return "".join(path.read_text(encoding="utf-8") for path in sources)


@pytest.mark.parametrize("pattern", OFTEN)
def test_a_symptom_and_its_causes_exist(pattern: str, kinds: set[str], judges: str) -> None:
    assert set(OFTEN[pattern]) <= kinds
    assert len(set(OFTEN[pattern])) == len(OFTEN[pattern])
    has_hint = any(pattern in one.hints for one in lab.course())
    assert has_hint or f'"{pattern}"' in judges

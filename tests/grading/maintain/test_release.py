"""One version: that of CMakeLists.txt is the newest release in CHANGELOG.md."""

from __future__ import annotations

import re

from support import REPO


def releases() -> list[str]:
    text = (REPO / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$", text, re.MULTILINE)


def test_the_newest_release_is_the_version_that_is_built() -> None:
    text = (REPO / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^project\(\w+ VERSION ([\d.]+)", text, re.MULTILINE)
    assert found is not None
    assert found[1] == releases()[0]


def test_releases_are_in_order_and_each_once() -> None:
    numbers = [tuple(map(int, one.split("."))) for one in releases()]
    assert len(numbers) > 2
    assert numbers == sorted(set(numbers), reverse=True)

"""The repository in which a semester is lived."""

from __future__ import annotations

from pathlib import Path

import pytest

import instructor


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with one lab."""
    copy = tmp_path_factory.mktemp("course") / "tilelab"
    instructor.copy_with_one_lab(copy)
    return copy

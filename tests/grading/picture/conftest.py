"""Pages of kernels, for the tests of what they say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tilelab.labs import lab
from tilelab.picture import run
from tilelab.picture.page import page
from tilelab.pipeline.harness.session import Session

Make = Callable[[Path, str, Path], Path]


@pytest.fixture(scope="session")
def make(emulator: Session) -> Make:
    """Makes the page of a file, as its lab shows it, in a folder."""

    def made(path: Path, name: str, folder: Path) -> Path:
        picture = run.draw(path, lab.load(name), emulator, None, 4)
        target = folder / f"{name}.html"
        target.write_text(page(picture, f"./tilelab show {name}"), encoding="utf-8")
        return target

    return made

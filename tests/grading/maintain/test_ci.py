"""What .ci/run asks for, with stubs for the commands."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support import REPO

STUB = '#!/bin/sh\necho "${0##*/} $*" >>"$LOG"\n[ "$*" != "$FAILS" ]\n'


class Checkout:
    """A repository with nothing but the script, on a system whose cmake and ccache do nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        shutil.copytree(REPO / ".ci", self.folder / ".ci")
        self.cache = folder / "cache"
        self.log = folder / "log"
        tools = folder / "bin"
        tools.mkdir()
        for stub in (self.folder / "tilelab", tools / "cmake", tools / "ccache"):
            stub.write_text(STUB)
            stub.chmod(0o755)
        self.environment = {
            "PATH": f"{tools}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(self.cache),
            "LOG": str(self.log),
        }

    def run(self, *words: str, fails: str = "-") -> tuple[int, list[str]]:
        """The exit status, and the commands that were typed."""
        self.log.write_text("")
        environment = {**self.environment, "FAILS": fails}
        done = subprocess.run([self.folder / ".ci" / "run", *words], env=environment, check=False)
        return done.returncode, self.log.read_text().splitlines()

    @property
    def objects(self) -> Path:
        return self.cache / "tilelab" / "ci" / "ccache"


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize(
    ("words", "tests", "presets"),
    [
        ([], "test --changed landing", ["developer", "developer-clang"]),
        (["abc"], "test --changed abc", ["developer", "developer-clang"]),
        (["--all"], "test --all", ["developer", "developer-clang", "developer-cuda"]),
    ],
)
def test_what_it_runs(checkout: Checkout, words: list[str], tests: str, presets: list[str]) -> None:
    status, typed = checkout.run(*words)
    configured = [f"cmake --fresh --preset {preset}" for preset in presets]
    tested = [f"tilelab {tests}", "tilelab fuzz --seconds 120"]
    assert (status, typed) == (0, ["tilelab lint", *configured, *tested])


def test_only_a_run_that_passes_leaves_compiled_objects(checkout: Checkout) -> None:
    rulings = checkout.folder / "build" / "accepted_by_nvcc"
    for fails, status, is_kept in (("-", 0, True), ("test --changed landing", 1, False)):
        checkout.objects.mkdir(parents=True, exist_ok=True)
        assert checkout.run(fails=fails)[0] == status
        assert checkout.objects.is_dir() == is_kept
        assert rulings.is_dir()

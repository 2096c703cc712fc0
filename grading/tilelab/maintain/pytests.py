"""Runs the tests of the grading package with pytest."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from tilelab import backends
from tilelab.base.repository import BUILD, REPO
from tilelab.maintain.totals import Totals, read_junit, skipped

_FOLDERS = [str(REPO / "tests" / name) for name in ("grading", "integrity")]

# While one process uses the GPU, others compile.
_GPU_PROCESSES = 8


@dataclass(frozen=True)
class Chosen:
    """The first tier with a sample that `seed` draws, for some presets.

    With `changed` files, what tests them is added, and one in ten of the others. After this many
    `seconds`, what is not of the first tier is left out.
    """

    seed: int
    presets: tuple[str, ...]
    changed: tuple[str, ...] | None = None
    seconds: float | None = None


def run(chosen: Chosen | None, console: Console) -> Totals:
    """Runs the chosen tests of the grading package, or all."""
    console.rule("grading")
    if importlib.util.find_spec("pytest") is None:
        return skipped(console, "tests/grading", "pytest is not installed")
    # A GPU runs one test at a time.
    spread = backends.device() is None and importlib.util.find_spec("xdist") is not None
    options = ["-n", str(_processes()), "--dist", "worksteal"] if spread else []
    with _options(chosen) as choosing:
        return _side_by_side([[*options, *choosing, *_FOLDERS]], "the tests of grading", console)


def _processes() -> int:
    """Half as many again as there are processors, because tests wait for a third of their time."""
    return 3 * (os.cpu_count() or 1) // 2


def listing(chosen: Chosen) -> str:
    """The names of the chosen tests, and why they were chosen."""
    with _options(chosen) as choosing:
        return _collected(*choosing)


@contextlib.contextmanager
def _options(chosen: Chosen | None) -> Iterator[list[str]]:
    """The options by which tests/conftest.py chooses."""
    if chosen is None:
        yield []
        return
    words = [f"--first-tier={chosen.seed}", *(f"--preset={one}" for one in chosen.presets)]
    if chosen.seconds is not None:
        words.append(f"--until={time.time() + chosen.seconds}")
    if chosen.changed is None:
        yield words
        return
    with tempfile.NamedTemporaryFile("w", prefix="tilelab-", suffix=".json") as file:
        json.dump(chosen.changed, file)
        file.flush()
        yield [*words, f"--changed={file.name}"]


def run_gpu(console: Console) -> Totals:
    """Runs the tests that need a GPU: those that measure time alone, the others in parallel."""
    console.rule("grading, on the GPU")
    names = _collect("gpu and not alone")
    count = min(_GPU_PROCESSES, os.cpu_count() or 1, len(names))
    parts = [names[first::count] for first in range(count)]
    totals = _side_by_side(parts, "the tests of grading on a GPU", console)
    return totals + _side_by_side([_collect("gpu and alone")], "what takes times", console)


def command(*arguments: str) -> list[str]:
    return [
        *(sys.executable, "-P", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"),
        *(f"--rootdir={REPO}", "-c", str(REPO / ".pytest.ini")),
        *arguments,
    ]


def _collect(marked: str) -> list[str]:
    """The names of the tests with these marks, as pytest writes them."""
    return [line for line in _collected("-m", marked).splitlines() if "::" in line]


def _collected(*options: str) -> str:
    words = command("--collect-only", *options, *_FOLDERS)
    finished = subprocess.run(
        words, cwd=REPO, env=environment(), capture_output=True, text=True, check=False
    )
    return finished.stdout


def environment() -> dict[str, str]:
    """Compiled modules go to the build folder, also for users who want none next to the sources.

    Without them, each process would compile all tests, and each command of ours the package.
    """
    ours = {**os.environ, "PYTHONPYCACHEPREFIX": str(BUILD / "pycache")}
    ours.pop("PYTHONDONTWRITEBYTECODE", None)
    return ours


def _side_by_side(parts: Iterable[Sequence[str]], what: str, console: Console) -> Totals:
    """Runs one pytest for each list of arguments, all in parallel."""
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        started = [
            (report, _start(report, arguments))
            for number, arguments in enumerate(parts)
            if (report := Path(folder) / f"pytest-{number}.xml")
        ]
        totals = Totals()
        for report, running in started:
            running.wait()
            totals += read_junit(report, what, console)
    return totals


def _start(report: Path, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    words = command(f"--junitxml={report}", *arguments)
    return subprocess.Popen(words, cwd=REPO, env=environment(), stdin=subprocess.DEVNULL)

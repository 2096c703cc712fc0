"""Runs the tests of the grading package with pytest."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console

from tilelab import backends
from tilelab.base.repository import REPO
from tilelab.maintain.totals import Totals, read_junit, skipped

_FOLDERS = [str(REPO / "tests" / name) for name in ("grading", "integrity")]

# While one process uses the GPU, others compile.
_GPU_PROCESSES = 8


def run(console: Console) -> Totals:
    """Runs all tests of the grading package."""
    console.rule("grading")
    if importlib.util.find_spec("pytest") is None:
        return skipped(console, "tests/grading", "pytest is not installed")
    # A GPU runs one test at a time.
    spread = backends.device() is None and importlib.util.find_spec("xdist") is not None
    options = ["-n", str(os.cpu_count() or 1), "--dist", "worksteal"] if spread else []
    return _side_by_side([[*options, *_FOLDERS]], "the tests of grading", console)


def run_gpu(console: Console) -> Totals:
    """Runs the tests that need a GPU: those that measure time alone, the others in parallel."""
    console.rule("grading, on the GPU")
    names = _collect("gpu and not alone")
    count = min(_GPU_PROCESSES, os.cpu_count() or 1, len(names))
    parts = [names[first::count] for first in range(count)]
    totals = _side_by_side(parts, "the tests of grading on a GPU", console)
    return totals + _side_by_side([_collect("gpu and alone")], "what takes times", console)


def _command(*arguments: str) -> list[str]:
    return [
        *(sys.executable, "-P", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"),
        *(f"--rootdir={REPO}", "-c", str(REPO / ".pytest.ini")),
        *arguments,
    ]


def _collect(marked: str) -> list[str]:
    """The names of the tests with these marks, as pytest writes them."""
    command = _command("--collect-only", "-m", marked, *_FOLDERS)
    listing = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False)
    return [line for line in listing.stdout.splitlines() if "::" in line]


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
    command = _command(f"--junitxml={report}", *arguments)
    return subprocess.Popen(command, cwd=REPO, stdin=subprocess.DEVNULL)

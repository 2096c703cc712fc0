"""`tilelab test`: builds every preset that this machine can build, runs all tests, counts them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from tilelab import backends
from tilelab.backends import BACKENDS
from tilelab.backends.base import Backend
from tilelab.base import locks, process
from tilelab.base.errors import InfraError
from tilelab.base.repository import REPO
from tilelab.base.text import printable
from tilelab.pipeline import toolchain

_TEST_SECONDS = 3600


@dataclass(frozen=True)
class Totals:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def run(console: Console) -> int:
    """Runs everything; the last line printed is the totals. Returns the exit status."""
    totals = Totals()
    for backend in BACKENDS:
        totals += _preset(backend, console)
    totals += _pytest(console)
    console.print(str(totals), markup=False)
    return 1 if totals.failed or not totals.passed else 0


def _preset(backend: Backend, console: Console) -> Totals:
    """Builds a backend's preset and runs its tests; what cannot run is skipped by name."""
    preset = backend.preset
    if missing := backend.missing_tool():
        return _skip(console, f"preset {preset}", f"needs {missing}")
    console.rule(f"preset {preset}")
    try:
        with locks.exclusive(REPO / "build" / f"{preset}.lock"):
            toolchain.build(preset, "all")
            if missing := backend.missing():
                return _skip_all(preset, f"needs {missing}", console)
            return _ctest(backend, console)
    except InfraError as error:
        console.print(f"failed: preset {preset}: {error}", markup=False)
        _show_tail(toolchain.log_of(preset), console)
        return Totals(failed=1)


def _ctest(backend: Backend, console: Console) -> Totals:
    folder = REPO / "build" / backend.preset
    report = folder / "ctest.xml"
    report.unlink(missing_ok=True)
    # One GPU serves one test at a time.
    jobs = 1 if backend.needs_gpu else os.cpu_count() or 1
    command = ["ctest", "--test-dir", str(folder), "--output-on-failure", "-j", str(jobs)]
    command += ["--no-tests=error", "--output-junit", str(report)]
    subprocess.run(command, stdin=subprocess.DEVNULL, check=False, env=backend.environment())
    return _read_junit(report, f"the tests of preset {backend.preset}", console)


def _skip_all(preset: str, why: str, console: Console) -> Totals:
    listing = process.run(
        ["ctest", "--test-dir", REPO / "build" / preset, "--show-only=json-v1"],
        seconds=_TEST_SECONDS,
        keep=64 * 1024 * 1024,
    )
    names = [test["name"] for test in json.loads(listing.output)["tests"]]
    totals = Totals()
    for name in names:
        totals += _skip(console, f"{preset}: {name}", why)
    return totals


def _pytest(console: Console) -> Totals:
    console.rule("grading")
    if importlib.util.find_spec("pytest") is None:
        return _skip(console, "tests/grading", "pytest is not installed")
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        report = Path(folder) / "pytest.xml"
        command = [sys.executable, "-P", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
        command += [f"--rootdir={REPO}", f"--junitxml={report}", str(REPO / "tests" / "grading")]
        # One GPU serves one test at a time.
        if backends.device() is None and importlib.util.find_spec("xdist"):
            command += ["-n", str(os.cpu_count() or 1), "--dist", "worksteal"]
        subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
        return _read_junit(report, "the tests of grading", console)


def _read_junit(report: Path, what: str, console: Console) -> Totals:
    """Counts test cases; a report that is not there or is empty is a failure, not a success."""
    try:
        cases = list(ET.parse(report).getroot().iter("testcase"))
    except (OSError, ET.ParseError):
        cases = []
    if not cases:
        console.print(f"failed: {what} left no report", markup=False)
        return Totals(failed=1)
    failed = [case for case in cases if _has(case, "failure", "error")]
    skipped = [case for case in cases if _has(case, "skipped")]
    for verdict, some in (("failed", failed), ("skipped", skipped)):
        for case in some:
            console.print(f"{verdict}: {printable(case.get('name', ''))}", markup=False)
    return Totals(len(cases) - len(failed) - len(skipped), len(failed), len(skipped))


def _has(case: ET.Element, *tags: str) -> bool:
    return any(case.find(tag) is not None for tag in tags)


def _skip(console: Console, name: str, why: str) -> Totals:
    console.print(f"skipped: {name} ({why})", markup=False)
    return Totals(skipped=1)


def _show_tail(path: Path, console: Console) -> None:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines[-40:]:
        console.print(printable(line), markup=False)

"""Builds a backend's preset and runs its tests with CTest."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from tilelab.backends.base import Backend
from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.repository import log_of
from tilelab.base.text import printable
from tilelab.maintain.totals import Totals, read_junit, skipped
from tilelab.pipeline.harness import building, steps
from tilelab.pipeline.harness.steps import Showing, Tell

_TEST_SECONDS = 3600


@dataclass(frozen=True)
class Part:
    """What of a preset is built, as CMake's targets, and tested, as patterns of CTest."""

    backend: Backend
    what: str = "all tests"
    targets: Sequence[str] = ("all", "thorough_tests")
    tests: str = "."
    but: str = "^$"


def first_tier(backend: Backend) -> Part:
    """What CMake's target `all` has: no calibration, which compiles each step of each lab."""
    return Part(backend, "the first tier", ("all",), but="^(calibration|loads_test)")


def kernels(backend: Backend) -> Part:
    """What another compiler of the same kernels may change, where a preset is tested as a whole."""
    emulator = "tests/common/emulator"
    targets = (
        "tests/labs/all",
        "emulator_test",
        f"{emulator}/observer/all",
        f"{emulator}/detector/all",
    )
    return Part(backend, "the tests of kernels", targets, "^(emulator|observer|detector)")


def build(parts: Sequence[Part], console: Console) -> None:
    """Builds several presets at the same time, as far as that works: run() says what failed."""
    able = [part for part in parts if not part.backend.missing_tool()]
    if len(able) < 2:
        return  # run() builds it
    for part in able:
        console.print(f"building the preset {part.backend.preset}", markup=False)
    # Each has more than its share of the processors, since they do not end together.
    jobs = 1 + (os.cpu_count() or 1) // len(able)
    with ThreadPoolExecutor(len(able)) as pool:
        for part in able:
            pool.submit(_build, part, "--parallel", str(jobs))


def _build(part: Part, *options: str, tell: Tell = steps.nobody) -> None:
    preset = part.backend.preset
    with building.turn(preset, tell):
        building.build(preset, *part.targets, *options, tell=tell)


def run(part: Part, console: Console, showing: Showing = steps.unseen) -> Totals:
    """Builds and tests one preset. Tests that cannot run are skipped by name."""
    backend, preset = part.backend, part.backend.preset
    if missing := backend.missing_tool():
        return skipped(console, f"preset {preset}", f"needs {missing}")
    console.rule(f"preset {preset}")
    try:
        with showing(f"the preset {preset}") as tell:
            _build(part, tell=tell)
        with building.turn(preset):
            if missing := backend.missing():
                return _skip_all(preset, f"needs {missing}", console)
            return _ctest(part, console)
    except InfraError as error:
        console.print(f"failed: preset {preset}: {error}", markup=False)
        _show_tail(log_of(preset), console)
        return Totals(failed=1)


def _ctest(part: Part, console: Console) -> Totals:
    backend = part.backend
    folder = building.folder_of(backend.preset)
    report = folder / "ctest.xml"
    report.unlink(missing_ok=True)
    # A GPU runs one test at a time.
    jobs = 1 if backend.needs_gpu else os.cpu_count() or 1
    command = ["ctest", "--test-dir", str(folder), "--output-on-failure", "-j", str(jobs)]
    command += ["--tests-regex", part.tests, "--exclude-regex", part.but]
    command += ["--no-tests=error", "--output-junit", str(report)]
    subprocess.run(command, stdin=subprocess.DEVNULL, check=False, env=backend.environment())
    return read_junit(report, f"the tests of preset {backend.preset}", console)


def _skip_all(preset: str, why: str, console: Console) -> Totals:
    listing = process.run(
        ["ctest", "--test-dir", building.folder_of(preset), "--show-only=json-v1"],
        seconds=_TEST_SECONDS,
        keep=64 * 1024 * 1024,
    )
    names = [test["name"] for test in json.loads(listing.output)["tests"]]
    totals = Totals()
    for name in names:
        totals += skipped(console, f"{preset}: {name}", why)
    return totals


def _show_tail(path: Path, console: Console) -> None:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines[-40:]:
        console.print(printable(line), markup=False)

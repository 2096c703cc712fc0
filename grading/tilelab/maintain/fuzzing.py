"""Fuzzes what reads text or bytes of strangers: C++ with libFuzzer, Python with Hypothesis."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping

from rich.console import Console

from tilelab.base import locks, process
from tilelab.base.repository import BUILD, REPO
from tilelab.maintain.totals import Totals, skipped

_SEEDS = REPO / "tests" / "common" / "fuzz" / "seeds"
_FOLDER = BUILD / "fuzz"
_BUILD_SECONDS = 3600

# What each target starts from besides its own seeds.
TARGETS: Mapping[str, tuple[str, ...]] = {
    "rewriter": ("solutions/*/mistakes", "tests/integrity/*", "tests/common/emulator/refused"),
    "disassembly": ("tests/common/estimator/kernels",),
    "job": (),
    "report": (),
    "reply": (),
}
_PYTHON = "the readers in Python"


def run(seconds: float, console: Console) -> int:
    """Fuzzes for so many seconds in all. Returns the exit status."""
    console.rule("fuzzing")
    share = seconds / (len(TARGETS) + 1)
    totals = _python(share, console)
    if missing := _build():
        totals += skipped(console, "the readers in C++", missing)
    else:
        for name in TARGETS:
            totals += _target(name, share, console)
    console.print(str(totals), markup=False)
    return 1 if totals.failed or not totals.passed else 0


def _build() -> str | None:
    """Builds the targets. Returns why that is not possible here."""
    if process.run(["clang++", *_PROBE], seconds=60).status != 0:
        return "needs clang++ with libFuzzer: on Debian, libclang-rt-14-dev"
    with locks.exclusive(BUILD / "fuzz.lock"):
        for arguments in (["--preset", "fuzz"], ["--build", "--preset", "fuzz"]):
            done = process.run(["cmake", *arguments], seconds=_BUILD_SECONDS, cwd=REPO)
            if done.status != 0:
                return f"does not build: {done.output[-500:]}"
    return None


_PROBE = ("-fsanitize=fuzzer-no-link,address", "-x", "c++", "-fsyntax-only", "/dev/null")


def _target(name: str, seconds: float, console: Console) -> Totals:
    found = _FOLDER / "found" / name
    found.mkdir(parents=True, exist_ok=True)
    seeds = [_SEEDS / name, *(one for pattern in TARGETS[name] for one in REPO.glob(pattern))]
    command = [
        *(str(_FOLDER / "bin" / f"{name}_fuzz"), str(found)),
        *(str(one) for one in seeds if one.is_dir()),
        *(f"-max_total_time={seconds:.0f}", f"-artifact_prefix={_FOLDER}/{name}-"),
        *("-timeout=20", "-rss_limit_mb=4096", "-max_len=65536", "-print_final_stats=1"),
    ]
    # A failure that no input explains, such as too little memory, leaves a status alone.
    status = subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
    console.print(f"{name}: {'failed' if status else 'nothing found'}", markup=False)
    if status:
        console.print(f"Its input is in {_FOLDER}. Keep it in {_SEEDS / name}.", markup=False)
    return Totals(failed=1) if status else Totals(passed=1)


def _python(seconds: float, console: Console) -> Totals:
    """Repeats the tests of tests/grading/fuzz, each time with other examples."""
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += [
        f"--rootdir={REPO}",
        "-c",
        str(REPO / ".pytest.ini"),
        "tests/grading/fuzz",
    ]
    environment = {**os.environ, "TILELAB_FUZZING": "fuzz"}
    end = time.monotonic() + seconds
    while True:
        done = subprocess.run(command, cwd=REPO, env=environment, check=False)
        if done.returncode:
            return Totals(failed=1)
        if time.monotonic() > end:
            console.print(f"{_PYTHON}: nothing found", markup=False)
            return Totals(passed=1)

"""Fuzzes what reads text or bytes of strangers: C++ with libFuzzer, Python with Hypothesis."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Mapping

from rich.console import Console

from tilelab.base import locks, process
from tilelab.base.files import work_folder
from tilelab.base.repository import BUILD, REPO
from tilelab.base.text import printable
from tilelab.maintain import pytests
from tilelab.maintain.totals import Totals, skipped

_SEEDS = REPO / "tests" / "common" / "fuzz" / "seeds"
_FOLDER = BUILD / "fuzz"
_BUILD_SECONDS = 3600
_KEPT = 1024 * 1024

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
    """Fuzzes for this many seconds in all. Returns the exit status."""
    console.rule("fuzzing")
    share = seconds / (len(TARGETS) + 1)
    totals = _python(share, console)
    totals += _cpp(share, console)
    console.print(str(totals), markup=False)
    return 1 if totals.failed or not totals.passed else 0


def _cpp(share: float, console: Console) -> Totals:
    if not _has_libfuzzer():
        why = "needs clang++ with libFuzzer: on Debian, clang and libclang-rt-14-dev"
        return skipped(console, "the readers in C++", why)
    if problem := _build():
        console.print(f"failed: the targets do not build: {problem}", markup=False)
        return Totals(failed=1)
    return sum((_target(name, share, console) for name in TARGETS), Totals())


def _has_libfuzzer() -> bool:
    with work_folder() as work:
        source = work / "empty.cpp"
        source.write_text(_EMPTY, encoding="utf-8")
        command = ["clang++", "-fsanitize=fuzzer,address", str(source), "-o", str(work / "empty")]
        try:
            return process.run(command, seconds=60).status == 0
        except OSError:
            return False


_EMPTY = 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }\n'


def _build() -> str | None:
    """Builds the targets. Returns the end of what was printed if that fails."""
    with locks.exclusive(BUILD / "fuzz.lock"):
        for arguments in (["--preset", "fuzz"], ["--build", "--preset", "fuzz"]):
            done = process.run(["cmake", *arguments], seconds=_BUILD_SECONDS, cwd=REPO, keep=_KEPT)
            if done.timed_out or done.status != 0:
                return done.output[-2000:]
    return None


def _target(name: str, seconds: float, console: Console) -> Totals:
    found = _FOLDER / "found" / name
    found.mkdir(parents=True, exist_ok=True)
    seeds = [_SEEDS / name, *(one for pattern in TARGETS[name] for one in REPO.glob(pattern))]
    command = [
        *(str(_FOLDER / "bin" / f"{name}_fuzz"), str(found)),
        *(str(one) for one in seeds if one.is_dir()),
        *(f"-max_total_time={seconds:.0f}", f"-artifact_prefix={_FOLDER}/{name}-"),
        *("-timeout=20", "-rss_limit_mb=4096", "-max_len=65536"),
        *("-verbosity=0", "-print_final_stats=1"),
    ]
    done = process.run(command, seconds=seconds + _BUILD_SECONDS, keep=_KEPT)
    if done.status == 0 and not done.timed_out:
        executed = re.search(r"number_of_executed_units: (\d+)", done.output)
        console.print(f"{name}: nothing found in {executed[1] if executed else '?'} executions")
        return Totals(passed=1)
    # A failure that no input explains, such as too little memory, leaves no input.
    for line in done.output.splitlines()[-60:]:
        console.print(printable(line), markup=False)
    console.print(f"{name}: failed. If an input did it, it is in {_FOLDER}.", markup=False)
    console.print(f"Keep it in {_SEEDS / name}.", markup=False)
    return Totals(failed=1)


def _python(seconds: float, console: Console) -> Totals:
    """Repeats the tests of tests/grading/fuzz, each time with other examples."""
    command = pytests.command("-x", "tests/grading/fuzz")
    environment = {**pytests.environment(), "TILELAB_FUZZING": "fuzz"}
    end = time.monotonic() + seconds
    while True:
        done = subprocess.run(command, cwd=REPO, env=environment, check=False)
        if done.returncode:
            return Totals(failed=1)
        if time.monotonic() > end:
            console.print(f"{_PYTHON}: nothing found", markup=False)
            return Totals(passed=1)

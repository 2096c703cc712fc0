"""Programs that flood, hang, or leave others behind."""

from __future__ import annotations

import sys
import time

from support import programs, wait_until
from tilelab.base import process


def test_output_is_drained_and_its_head_kept() -> None:
    flood = [sys.executable, "-c", "print('a' + 'x' * 10_000_000); print('end')"]
    finished = process.run(flood, seconds=30)
    assert finished.status == 0
    assert len(finished.output) == 16 * 1024


def test_output_that_is_not_utf8_is_no_crash() -> None:
    finished = process.run(["printf", r"\377\000\033[31m"], seconds=10)
    assert finished.output == "\ufffd\0\x1b[31m"


def test_a_timeout_kills_the_whole_group() -> None:
    mark = f"{time.time_ns() % 1_000_000 + 1_000_000}"
    finished = process.run(["sh", "-c", f"sleep {mark} & sleep {mark}"], seconds=0.5)
    assert finished.timed_out
    wait_until(lambda: not [line for line in programs() if mark in line], "end of both")


def test_a_group_of_its_own_is_killed_as_well() -> None:
    mark = f"{time.time_ns() % 1_000_000 + 2_000_000}"
    start = f"import subprocess; subprocess.Popen(['sleep', '{mark}'], process_group=0)"
    assert process.run([sys.executable, "-c", start], seconds=10).status == 0
    wait_until(lambda: not [line for line in programs() if mark in line], "end of it")


def test_a_background_process_does_not_hold_us_up() -> None:
    start = time.monotonic()
    finished = process.run(["sh", "-c", "sleep 60 & echo done"], seconds=30)
    assert (finished.status, finished.output) == (0, "done\n")
    assert time.monotonic() - start < 10


def test_a_program_that_sleeps_forever_on_a_closed_pipe_is_timed_out() -> None:
    finished = process.run(["sh", "-c", "exec >&- 2>&-; sleep 60"], seconds=0.5)
    assert finished.timed_out

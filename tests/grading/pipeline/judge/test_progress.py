"""What somebody who waits hears, and that waiting in another way changes no result."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from pathlib import Path

import pytest

from support import REPO, Write, needs_nvcc
from tilelab.base import process
from tilelab.base.errors import Stopped
from tilelab.model.lab import Lab
from tilelab.model.stream import VERSION
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import events
from tilelab.pipeline.judge.events import Step

MISTAKES = REPO / "solutions" / "diff" / "mistakes"


def line(**members: object) -> str:
    return json.dumps(members) + "\n"


def failure(test: str, text: str) -> str:
    return line(type="message", test=test, kind="failure", text=text, context=[])


def test_each_test_is_told_when_it_ends_or_fails(tmp_path: Path) -> None:
    stream = tmp_path / "events.jsonl"
    heard: list[Step] = []
    with events.told("correctness", stream, heard.append), stream.open("a") as file:
        for written, known in (
            (line(type="begin", version=VERSION) + line(type="tests", count=3), []),
            (line(type="message", test="a", kind="note", text="a remark"), []),
            (line(type="test", name="a", result="passed"), [("a", True)]),
            (failure("b", "wrong"), [("a", True), ("b", False)]),
            (failure("b", "wrong again") + '{"type": "te', [("a", True), ("b", False)]),
        ):
            file.write(written)
            file.flush()
            end = time.monotonic() + 30
            while not heard or [(case.name, case.passed) for case in heard[-1].cases] != known:
                assert time.monotonic() < end, heard
                time.sleep(0.01)
            assert heard[-1].tests == 3
        file.write('st", "name": "b", "result": "failed"}\n')
        file.write(line(type="test", name="c", result="passed"))
    assert [case.name for case in heard[-1].cases] == ["a", "b", "c"]
    assert len(heard) == 4  # no news, no call


def test_a_check_tells_of_every_test_and_its_result_is_that_of_a_grade(
    emulator: Session, diff_lab: Lab
) -> None:
    path = MISTAKES / "missing_barrier.cu"
    heard: list[Step] = []
    at_once = dataclasses.replace(emulator, criteria_at_once=3)
    checked = submission.grade(path, diff_lab, at_once, tell=heard.append)
    graded = submission.grade(path, diff_lab, emulator)
    assert checked == graded
    last = {step.criterion: step for step in heard}
    assert {"correctness", "safety", "memory"} == set(last)
    for row in graded.criteria:
        if row.status != "not_run":
            assert [case.name for case in last[row.name].cases] == [c.name for c in row.cases]
            assert last[row.name].tests == len(row.cases)


# g++ takes it, and so does the emulator's front end. Each test takes long.
ONLY_NVCC_REFUSES = """#include "diff.h"
template <class T> __global__ void apply(T action, int* out) { action(out); }
void unused(int* out) { apply<<<1, 1>>>([](int* to) { *to = 1; }, out); }
void diff(const int*, int*, int) { for (volatile int i = 0;; ++i) {} }
"""


@needs_nvcc
def test_what_nvcc_refuses_ends_the_tests(emulator: Session, diff_lab: Lab, cu: Write) -> None:
    heard: list[Step] = []
    result = submission.grade(cu(ONLY_NVCC_REFUSES), diff_lab, emulator, tell=heard.append)
    assert result.verdict == "compile_error"
    assert all(len(step.cases) < step.tests or step.tests == 0 for step in heard)


def test_a_context_that_is_stopped_kills_its_programs_and_no_others() -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    start = time.monotonic()
    with process.stopped_by(stop), pytest.raises(Stopped):
        process.run(["sleep", "60"], seconds=60)
    assert time.monotonic() - start < 30
    assert process.run(["true"], seconds=30).status == 0

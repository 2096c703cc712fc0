"""Which of many repairs in one program pass where the submission fails."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import Write
from tilelab.labs import lab
from tilelab.model.case import Case, Message
from tilelab.model.result import CriterionResult, Result
from tilelab.pipeline import submission, texts
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.stages import Source
from tilelab.repairs import task
from tilelab.repairs import trial as of_trial
from tilelab.repairs.code import parse
from tilelab.repairs.edit import Change, Edit, Kind
from tilelab.repairs.trial import Trial

DIFF = lab.load("diff")
KIND = Kind("a kind", "A question?", "An idea.")
WRONG = """#include "diff.h"
constexpr int block = 256;
__global__ void diff_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i <= n) out[i] = in[i] - (i > 0 ? in[i - 1] : 0);
}
void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
"""
# Each with whether it is right where the file fails: out[n] is stored.
REPAIRS = [
    ("i <= n", "i < n", True),
    ("i <= n", "i < n - 1", False),
    ("i <= n", "i != n", False),
    ("if (i <= n)", "if (i < n)", True),  # as a statement
    ("const int i = blockIdx.x", "const unsigned i = blockIdx.x", False),
    ("block = 256", "block = 128", False),
    ("in[i - 1]", "in[in]", False),  # is no program
    ("i > 0", "n * 2 > i && i > 0", False),
    ("diff_kernel<<<", "if (n < 0) diff_kernel<<<", False),
    ("i <= n", "i < n && in", True),
    ("out[i] =", "while (true) out[i] =", False),
    ("out[i] =", "if (i < n) out[i] =", True),
    ("int* out, int n) {\n  const", "int* out, int n) {\n  n = n - 1; const", True),
]


@pytest.fixture
def trial(emulator: Session, tmp_path: Path) -> Iterator[Trial]:
    toolchain = next(one for one in emulator.toolchains if one.build.is_checked)
    inspected = texts.inspect(Source(WRONG, "0"), DIFF)
    yield Trial.begin(inspected, toolchain, tmp_path, 120, patience=0.3)


def test_a_test_that_ran_out_of_time_is_not_the_one_to_try_edits_with() -> None:
    cases = (
        Case("small", True, []),
        Case("large", False, [Message("It takes too long.", "out_of_time")]),
        Case("odd", False, [Message("It is wrong.", "first_wrong")]),
    )

    def wanted(*some: Case) -> tuple[str, int]:
        row = CriterionResult("correctness", "fail", 0, 40, cases=some)
        found = task.of(Result("", "diff", "graded", 0, 40, criteria=[row]), DIFF)
        assert found
        return found.test, found.passed

    assert wanted(*cases) == ("odd", 2)
    assert wanted(*cases[:2]) == ("large", 1)


def test_a_trial_knows_how_long_ago_it_began(trial: Trial) -> None:
    assert not trial.has_taken(1) and trial.has_taken(0)
    begun = dataclasses.replace(trial, deadline=time.monotonic() - trial.seconds)
    assert begun.has_taken(1.9) and not begun.has_taken(2.1)


@pytest.mark.judges(lab="diff")
@pytest.mark.drawn(pool="trials", count=2)
def test_the_right_ones_are_found(trial: Trial, emulator: Session, cu: Write) -> None:
    wanted = task.of(submission.grade(cu(WRONG), DIFF, emulator), DIFF)
    assert wanted is not None
    edits = []
    for old, new, _ in REPAIRS:
        begin = WRONG.index(old)
        edits.append(Edit(KIND, 1, "", (Change(begin, begin + len(old), new),)))
    built = trial.build(edits, parse(WRONG), "all")
    assert len(built) == len(edits) - 1
    found = [one for one in trial.better(built, wanted, emulator.seed) if not one.wrong]
    right = [edit for edit, (_, _, is_right) in zip(edits, REPAIRS, strict=True) if is_right]
    assert [one.edit for one in found] == right
    first, last = found[0], found[-1]
    assert trial.passes(first, ("correctness", "safety"), 1)
    assert trial.passes(last, ("correctness",), 1)
    assert not trial.passes(built[1], ("correctness",), 1)


@pytest.mark.judges(lab="diff")
@pytest.mark.drawn(pool="trials", count=2)
def test_a_repair_is_judged_no_longer_than_the_trial_goes_on(
    trial: Trial, emulator: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = WRONG.index("i <= n")
    edit = Edit(KIND, 1, "", (Change(begin, begin + len("i <= n"), "i < n"),))
    [one] = trial.build([edit], parse(WRONG), "one")
    monkeypatch.setattr(of_trial, "_SECONDS_TO_END", 0)
    short = dataclasses.replace(trial, deadline=time.monotonic() + 0.05)
    assert short.judged(one, "correctness", emulator.seed) is None
    assert trial.judged(one, "correctness", emulator.seed)


@pytest.mark.judges(lab="diff")
@pytest.mark.drawn(pool="trials", count=2)
def test_what_has_passed_once_is_judged_with_all_the_time_that_a_call_has(
    trial: Trial, emulator: Session
) -> None:
    """Others have less: one that passes may take long elsewhere, and none passes much by chance."""
    begin = WRONG.index("i <= n")
    edit = Edit(KIND, 1, "", (Change(begin, begin + len("i <= n"), "i < n"),))
    [one] = trial.build([edit], parse(WRONG), "one")
    late = dataclasses.replace(trial, deadline=time.monotonic() - 1, patience=0)
    for test in (None, "diff is right for one block and less"):
        cases = late.judged(one, "correctness", emulator.seed, test)
        assert cases
        assert all(case.passed for case in cases)


@pytest.mark.judges(lab="diff")
@pytest.mark.drawn(pool="trials", count=2)
def test_an_edit_whose_error_no_line_tells_costs_no_other(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edit(old: str, new: str) -> Edit:
        begin = WRONG.index(old)
        return Edit(KIND, 1, "", (Change(begin, begin + len(old), new),))

    good = [edit("i <= n", "i < n"), edit("i > 0", "0 < i"), edit("block = 256", "block = 128")]
    bad = edit("in[i - 1]", "in[in]")
    for nowhere in (set[int](), {1, 2}):
        monkeypatch.setattr(of_trial, "_at_errors", lambda *_, n=nowhere: [tuple(n)] if n else [])
        built = trial.apart(f"{len(nowhere)}").build([*good[:2], bad, good[2]], parse(WRONG), "all")
        assert [one.edit for one in built] == good


@pytest.mark.judges(lab="diff")
@pytest.mark.drawn(pool="trials", count=2)
def test_a_file_that_fails_at_once_does_not_hurry_its_repairs(
    trial: Trial, emulator: Session, cu: Write
) -> None:
    text = WRONG.replace("<= n", "< n").replace("block>>>(in, out, n);", "2048>>>(in, out, n);")
    text = text.replace("if (n > 0) diff", "if (n == 0) return;\n  diff")
    wait = "for (volatile int i = 0; i < 50000000; i = i + 1) {}"
    text = text.removesuffix("}\n") + f"  if (cudaGetLastError() == cudaSuccess) {wait}\n}}\n"
    wanted = task.of(submission.grade(cu(text), DIFF, emulator), DIFF)
    assert wanted is not None
    begin = text.index("2048")
    edit = Edit(KIND, 1, "", (Change(begin, begin + len("2048"), "block"),))
    patient = dataclasses.replace(trial, patience=DIFF.seconds)
    [built] = patient.build([edit], parse(text), "one")

    def found(_: int) -> list[float]:
        return [one.wrong for one in patient.better([built], wanted, emulator.seed)]

    # A busy machine may let it run out of time, and no edit is tried twice.
    assert [0] in map(found, range(3))

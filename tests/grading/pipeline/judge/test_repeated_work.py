"""A call that takes too long because threads repeat each other's work is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilelab.labs import lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.score.failures import failures

_TEXT = """\
#include "diff.h"

__global__ void kernel(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
"""


@pytest.mark.thorough
@pytest.mark.judges(lab="diff")
def test_each_thread_does_all_the_work(tmp_path: Path, emulator: Session) -> None:
    path = tmp_path / "diff.cu"
    path.write_text(_TEXT, encoding="utf-8")
    first, *others = failures(submission.grade(path, lab.load("diff"), emulator))
    assert first.pattern == "repeated_work"
    assert "times on average, as often as there are threads. Does each of them" in first.message
    assert first.line == 4
    assert "out_of_time" not in {one.pattern for one in others}

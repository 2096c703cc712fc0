"""Submissions that try to forge what the observer, in their own process, reports."""

from __future__ import annotations

import pytest

from support import SAMPLE_CLASS, Write
from tilelab.labs import lab
from tilelab.model.result import CriterionResult, Result
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.submission import grade

pytestmark = pytest.mark.drawn(pool="forgeries", count=3)

# Loads each element twice, which memory finds, and has a data race, which safety finds.
WASTEFUL = """
#include "diff.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
%(before)s
__global__ void twice(const int* in, int* out, int n) {
  __shared__ int shared_by_two[128];
  const int i = blockIdx.x * 256 + threadIdx.x;
  shared_by_two[threadIdx.x / 2] = i;
  __syncthreads();
  if (i < n && shared_by_two[threadIdx.x / 2] >= 0) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}
void diff(const int* in, int* out, int n) {
  if (n > 0) twice<<<(n + 255) / 256, 256>>>(in, out, n);
  cudaDeviceSynchronize();
  %(after)s
}
"""

FORGERIES = {
    "overwrites the heap it was not given": (
        "",
        "char* p = (char*)malloc(64); memset(p - 100000, 0, 1000);",
    ),
    "overwrites the program's data": ("", "memset((char*)&stdout + 4096, 0, 4096);"),
    "overwrites what lies under the program": (
        "int own;",
        "for (long i = 1; i < 100000; ++i) (&own)[-i] = 0;",
    ),
    "overwrites what lies over the program": (
        "int own;",
        "for (long i = 1; i < 1000000; ++i) (&own)[i] = 0;",
    ),
    "overwrites memory by copying from the device": (
        "",
        "cudaMemcpy((char*)&stdout + 8192, in, n * 4ul, cudaMemcpyDeviceToHost);",
    ),
    "prints into memory": ("", 'sprintf((char*)&stdout + 8192, "%0200d", 0);'),
    "reports accesses that it did not make": (
        '#define JOIN(a, b) a##b\nextern "C" void JOIN(__ts, an_read4)(void*);',
        "for (int i = 0; i < 1000; ++i) JOIN(__ts, an_read4)(nullptr);",
    ),
}


def by_name(result: Result) -> dict[str, CriterionResult]:
    return {criterion.name: criterion for criterion in result.criteria}


def submit(cu: Write, session: Session, before: str = "", after: str = "") -> Result:
    return grade(cu(WASTEFUL % {"before": before, "after": after}), lab.load("diff"), session)


def test_without_a_forgery_both_faults_are_found(cu: Write, emulator: Session) -> None:
    criteria = by_name(submit(cu, emulator))
    assert criteria["correctness"].status == "pass"
    assert criteria["safety"].status == "fail"
    assert "race" in criteria["safety"].messages[0]
    assert "2.00 global loads" in criteria["memory"].messages[0]


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_does_not_help(name: str, cu: Write, emulator: Session) -> None:
    before, after = FORGERIES[name]
    result = submit(cu, emulator, before, after)
    if result.verdict == "rejected":
        return
    assert result.verdict == "graded", result
    criteria = by_name(result)
    assert criteria["safety"].points == 0, result
    assert criteria["memory"].points <= criteria["memory"].max / 2, result


@pytest.mark.parametrize(
    "call",
    [
        "JOIN(tile, lab)::emulator::take_report()",
        "JOIN(tile, lab)::emulator::start_observing()",
        "JOIN(tile, lab)::emulator::set_watchdog()",
    ],
)
def test_the_observer_cannot_be_called(call: str, cu: Write, emulator: Session) -> None:
    function = call.rpartition("::")[2]
    before = (
        "#define JOIN(a, b) a##b\n"
        f"namespace JOIN(tile, lab) {{ namespace emulator {{ void {function}; }} }}"
    )
    result = submit(cu, emulator, before, f"{call};")
    assert result.verdict == "rejected", result
    assert "the name tilelab is reserved for the harness" in result.messages[0]


def test_counts_without_the_work_are_not_believed(cu: Write, emulator: Session) -> None:
    text = """
#include "diff.h"
#include <vector>
void diff(const int* in, int* out, int n) {
  std::vector<int> v(n), w(n);
  cudaMemcpy(v.data(), in, n * 4ul, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) w[i] = i == 0 ? v[0] : (int)((unsigned)v[i] - (unsigned)v[i - 1]);
  cudaMemcpy(out, w.data(), n * 4ul, cudaMemcpyHostToDevice);
}
"""
    criteria = by_name(grade(cu(text), lab.load("diff"), emulator))
    assert criteria["memory"].points == 0
    assert "it copied an input to the host" in criteria["memory"].messages[0]


def test_a_submission_cannot_ask_which_build_it_is(cu: Write, emulator: Session) -> None:
    reference = (SAMPLE_CLASS / "amber" / "diff.cu").read_text()
    text = f"{reference}\n#ifdef __SANITIZE_THREAD__\n#error told apart\n#endif\n"
    result = grade(cu(text), lab.load("diff"), emulator)
    assert result.verdict == "rejected", result
    assert "must be the same program for all compilers" in result.messages[0]


@pytest.mark.parametrize("name", ["TILELAB_CHECKED", "tilelab", "__tsan_read4", "__sanitizer_x"])
def test_reserved_names_are_refused(name: str, cu: Write, emulator: Session) -> None:
    result = submit(cu, emulator, before=f"int {name}();")
    assert result.verdict == "rejected"
    assert "is reserved for the harness" in result.messages[0]

"""What orders the work of graphs and of host functions, in checked programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import REPO

pytestmark = pytest.mark.drawn(pool="order of streams", count=3)

_BEGIN = """
__global__ void add(int* a) { a[threadIdx.x] += 1; }

int sum, *a, *b, *pinned;
void read(void*) { sum += pinned[3]; }

int main() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaMallocManaged(&a, 128);
  cudaMalloc(&b, 128);
  cudaMallocHost(&pinned, 128);
  cudaMemset(a, 0, 128);
  cudaMemset(b, 0, 128);
  for (int i = 0; i < 32; ++i) pinned[i] = 0;
  cudaDeviceSynchronize();
  cudaGraph_t one, two;
  cudaGraphExec_t x, y;
"""

_CAPTURED = """
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, s>>>(a);
  cudaStreamEndCapture(s, &one);
  cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, t>>>(b);
  cudaStreamEndCapture(t, &two);
  cudaGraphInstantiate(&x, one, 0);
  cudaGraphInstantiate(&y, TWO, 0);
  cudaGraphLaunch(x, s);
"""

_BY_HAND = """
  cudaGraphCreate(&one, 0);
  cudaGraphNode_t copy, call;
  cudaGraphAddMemcpyNode1D(&copy, one, nullptr, 0, pinned, b, 128, cudaMemcpyDeviceToHost);
  cudaHostNodeParams what = {read, nullptr};
  cudaGraphAddHostNode(&call, one, &copy, EDGES, &what);
  cudaGraphInstantiate(&x, one, 0);
  cudaGraphLaunch(x, s);
"""

_EARLY = "Read too early: host code reads "
_UNORDERED = "Unordered streams: "


@pytest.mark.parametrize(
    ("body", "says"),
    [
        # One executable runs once at a time, in whatever streams. Two do not wait for each other.
        (_CAPTURED.replace("TWO", "one") + "cudaGraphLaunch(x, t);", None),
        (_CAPTURED.replace("TWO", "one") + "cudaGraphLaunch(y, t);", _UNORDERED),
        # To wait for a graph is not to wait for another.
        (
            _CAPTURED.replace("TWO", "two")
            + "cudaGraphLaunch(y, t); cudaStreamSynchronize(t); sum += a[3];",
            f"{_EARLY}a[3]",
        ),
        (
            _CAPTURED.replace("TWO", "two")
            + "cudaGraphLaunch(y, t); cudaStreamSynchronize(s); sum += a[3];",
            None,
        ),
        # A function of the host comes after what its node, or its stream, comes after.
        (_BY_HAND.replace("EDGES", "1"), None),
        (_BY_HAND.replace("EDGES", "0"), f"{_EARLY}pinned[3]"),
        (
            "cudaMemcpyAsync(pinned, b, 128, cudaMemcpyDeviceToHost, s);"
            "cudaLaunchHostFunc(s, read, nullptr);",
            None,
        ),
        (
            "cudaMemcpyAsync(pinned, b, 128, cudaMemcpyDeviceToHost, s);"
            "cudaLaunchHostFunc(t, read, nullptr);",
            f"{_EARLY}pinned[3]",
        ),
    ],
)
def test_what_nothing_orders_is_found(body: str, says: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(f"{_BEGIN}{body}  cudaDeviceSynchronize();\n}}\n")
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", "run", "--checked", path],
        env={**os.environ, "PYTHONPATH": str(REPO / "grading"), "COLUMNS": "200"},
        text=True,
        capture_output=True,
        timeout=300,
    )
    if says:
        assert says in ended.stderr
    else:
        assert (ended.returncode, "Read too early" in ended.stderr) == (0, False), ended.stderr

"""What `tilelab run --profile` remarks on: code that is no mistake, but useless."""

from __future__ import annotations

from pathlib import Path

import pytest

import typed

pytestmark = pytest.mark.drawn(pool="remarks on programs", count=2)

PROGRAM = """
__global__ void k(float* a, const float* b) {{
  __shared__ float tile[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
{body}
}}
int main() {{
  float* a;
  cudaMalloc(&a, 1 << 16);
  cudaMemset(a, 0, 1 << 16);
  k<<<4, 64>>>(a, a + 8192);
  k<<<4, 64>>>(a, a + 8192);
  cudaDeviceSynchronize();
}}
"""
# A barrier in line 6 is useless.
USELESS = {
    "at the end": "tile[t] = b[i]; __syncthreads(); a[i] = tile[63 - t];\n__syncthreads();",
    "at the begin": "\n__syncthreads(); tile[t] = b[i]; __syncthreads(); a[i] = tile[63 - t];",
    "twice": "tile[t] = b[i]; __syncthreads();\n__syncthreads(); a[i] = tile[63 - t];",
    "between sums": "tile[t] = b[i]; __syncthreads(); float x = tile[63 - t]; __syncthreads();\n"
    "__syncthreads(); a[i] = x * x;",
}
NEEDED = {
    "once": "tile[t] = b[i];\n__syncthreads(); a[i] = tile[63 - t];",
    "in a loop": "for (int r = 0; r < 3; ++r) { tile[t] = a[i];\n"
    "__syncthreads(); a[i] = tile[63 - t]; __syncthreads(); }",
    "for global memory": "float x = a[i ^ 1];\n__syncthreads(); a[i] = x;",
    "with a vote": "\nint n = __syncthreads_count(t > 7); a[i] = n;",
    "in the last block only": "tile[t] = b[i];\n__syncthreads(); if (blockIdx.x) a[i] = tile[t];",
}
PADDED = "tile[t % 8 * 8 + t / 8] = b[i]; __syncthreads(); a[i] = tile[t];"


def profile(folder: Path, text: str) -> str:
    (folder / "a.cu").write_text(text)
    environment = typed.environment(TILELAB_NVCC="none")
    ended = typed.run("run", "--profile", "a.cu", cwd=folder, env=environment)
    assert ended.returncode == 0, ended.stderr
    return ended.stderr


def remarks(folder: Path, body: str) -> list[str]:
    found = profile(folder, PROGRAM.format(body=body)).splitlines()
    return [line for line in found if line.startswith("Remark: ")]


@pytest.mark.parametrize("body", USELESS.values(), ids=USELESS)
def test_a_barrier_that_orders_nothing_gets_a_remark(body: str, tmp_path: Path) -> None:
    (one,) = remarks(tmp_path, body)
    assert one.startswith("Remark: a.cu:6: this barrier orders nothing")


@pytest.mark.parametrize("body", NEEDED.values(), ids=NEEDED)
def test_no_other_barrier_does(body: str, tmp_path: Path) -> None:
    assert remarks(tmp_path, body) == []


def test_padding_that_is_not_between_rows_gets_a_remark(tmp_path: Path) -> None:
    text = PROGRAM.format(body=PADDED).replace("tile[64]", "tile[8 * 9]")
    found = profile(tmp_path, text)
    assert "Remark: no thread uses the last 32 of the 288 bytes of tile" in found


@pytest.mark.parametrize("index", ["t % 8 * 9 + t / 8", "t"])
def test_no_other_padding_does(index: str, tmp_path: Path) -> None:
    text = PROGRAM.format(body=PADDED.replace("t % 8 * 8 + t / 8", index))
    assert "Remark" not in profile(tmp_path, text.replace("tile[64]", "tile[8 * 9]"))

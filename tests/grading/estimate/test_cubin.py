"""Where a kernel's parameters lie."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support import needs_nvcc
from tilelab.backends import nvidia
from tilelab.estimate import cubin
from tilelab.estimate.cubin import Parameter

SOURCE = """
struct Weights { float of[33]; };
extern "C" __global__ void k(const float* in, char c, double d, Weights w, int n) {
  if (n > c) *const_cast<float*>(in) = w.of[n] + d;
}
extern "C" __global__ void none() {}
"""


@needs_nvcc
def test_parameters_lie_as_in_a_struct(tmp_path: Path) -> None:
    nvcc = nvidia.nvcc()
    assert nvcc
    (tmp_path / "k.cu").write_text(SOURCE, encoding="utf-8")
    words = [nvcc, "-arch=sm_90", "-cubin", "-o", tmp_path / "k.cubin", tmp_path / "k.cu"]
    subprocess.run(words, check=True)
    found = cubin.parameters((tmp_path / "k.cubin").read_bytes())
    assert found["none"] == []
    assert found["k"] == [
        Parameter(0, 8),
        Parameter(8, 1),
        Parameter(16, 8),
        Parameter(24, 132),
        Parameter(156, 4),
    ]


@pytest.mark.parametrize("data", [b"", b"text", b"\x7fELF", b"\x7fELF" + bytes(100)])
def test_other_data_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no cubin"):
        cubin.parameters(data)

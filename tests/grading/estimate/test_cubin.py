"""Where a kernel's parameters lie, and how large its blocks may be."""

from __future__ import annotations

import subprocess

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
extern "C" __global__ void __launch_bounds__(8 * 32, 2) bounded(int* out) { *out = 1; }
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    nvcc, folder = nvidia.nvcc(), tmp_path_factory.mktemp("cubin")
    assert nvcc
    (folder / "k.cu").write_text(SOURCE, encoding="utf-8")
    words = [nvcc, "-arch=sm_90", "-cubin", "-o", folder / "k.cubin", folder / "k.cu"]
    subprocess.run(words, check=True)
    return (folder / "k.cubin").read_bytes()


@needs_nvcc
def test_parameters_lie_as_in_a_struct(compiled: bytes) -> None:
    found = cubin.parameters(compiled)
    assert found["none"] == []
    assert found["k"] == [
        Parameter(0, 8),
        Parameter(8, 1),
        Parameter(16, 8),
        Parameter(24, 132),
        Parameter(156, 4),
    ]


@needs_nvcc
def test_launch_bounds_are_those_of_kernels_that_have_them(compiled: bytes) -> None:
    assert cubin.most_threads(compiled) == {"bounded": 256}


@pytest.mark.parametrize("data", [b"", b"text", b"\x7fELF", b"\x7fELF" + bytes(100)])
def test_other_data_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no cubin"):
        cubin.parameters(data)
    with pytest.raises(ValueError, match="no cubin"):
        cubin.most_threads(data)

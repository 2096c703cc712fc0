"""A program prints the same about an error as on a GPU."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest

import typed
from tilelab.backends import nvidia

CODES = range(1000)

PROGRAM = """
#include <cstdio>

int main() {
  for (int code = 0; code < %d; ++code) {
    const auto error = static_cast<cudaError_t>(code);
    std::printf("%%s: %%s\\n", cudaGetErrorName(error), cudaGetErrorString(error));
  }
}
"""


def runtimes() -> Iterator[Path]:
    """CUDA's runtime libraries next to nvcc. They load without a GPU."""
    compiler = nvidia.nvcc()
    if compiler:
        toolkit = compiler.parent.parent
        for folder in ("lib64", "lib", "targets/x86_64-linux/lib"):
            yield from (toolkit / folder).glob("libcudart.so*")


def test_errors_have_the_names_and_texts_of_cudas_runtime(tmp_path: Path) -> None:
    library = next(runtimes(), None)
    if library is None:
        pytest.skip("there is no libcudart.so")
    cuda = ctypes.CDLL(str(library))
    for function in (cuda.cudaGetErrorName, cuda.cudaGetErrorString):
        function.restype = ctypes.c_char_p
    source = tmp_path / "errors.cu"
    source.write_text(PROGRAM % len(CODES))
    finished = typed.run("run", str(source), env=typed.environment())
    assert finished.returncode == 0, finished.stderr
    said = [
        f"{cuda.cudaGetErrorName(code).decode()}: {cuda.cudaGetErrorString(code).decode()}"
        for code in CODES
    ]
    assert finished.stdout.splitlines() == said

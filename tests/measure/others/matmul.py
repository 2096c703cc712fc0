"""Other libraries' products of matrices, in FP32 without tensor cores."""

from __future__ import annotations

import ctypes

import torch

from timing import HERE, Places, Times, library, must, pointer, time

SIZES = ((2048, 2048, 2048), (4096, 4096, 4096), (4095, 4097, 4093))


def times(places: Places) -> Times:
    cublas = library(places.folder, "cublas", HERE / "cublas.cu", "-lcublas")
    torch.backends.cuda.matmul.allow_tf32 = False
    return {_title(*size): _times_of(cublas, *size) for size in SIZES}


def _title(m: int, n: int, k: int) -> str:
    return f"n = {m}" if m == n == k else f"m, n, k = {m}, {n}, {k}"


def _times_of(cublas: ctypes.CDLL, m: int, n: int, k: int) -> dict[str, float]:
    a, b = torch.rand(m, k, device="cuda"), torch.rand(k, n, device="cuda")
    c = torch.empty(m, n, device="cuda")

    def by_cublas() -> None:
        must(cublas.cublas_product(pointer(a), pointer(b), pointer(c), m, n, k))

    found = {
        "cublasSgemm": time([by_cublas]),
        "torch.matmul": time([lambda: torch.matmul(a, b, out=c)]),
    }
    by_cublas()
    right = (a.double() @ b.double()).float()
    assert torch.allclose(c, right, rtol=1e-4), "cuBLAS's result differs"
    return found

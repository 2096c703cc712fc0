"""Other libraries' products of matrices, in FP32 without tensor cores."""

from __future__ import annotations

import torch

from timing import HERE, Places, Times, library, must, pointer, time

SIZES = ((2048, 2048, 2048), (4096, 4096, 4096), (4095, 4097, 4093))


def times(places: Places) -> Times:
    cublas = library(places.folder, "cublas", HERE / "cublas.cu", "-lcublas")
    torch.backends.cuda.matmul.allow_tf32 = False
    found = {}
    for m, n, k in SIZES:
        a, b = torch.rand(m, k, device="cuda"), torch.rand(k, n, device="cuda")
        c = torch.empty(m, n, device="cuda")

        def by_cublas(a=a, b=b, c=c, m=m, n=n, k=k) -> None:  # noqa: PLR0913
            must(cublas.cublas_product(pointer(a), pointer(b), pointer(c), m, n, k))

        title = f"n = {m}" if m == n == k else f"m, n, k = {m}, {n}, {k}"
        found[title] = {
            "cublasSgemm, pedantic": time([by_cublas]),
            "torch.matmul without TF32": time([lambda a=a, b=b, c=c: torch.matmul(a, b, out=c)]),
        }
        by_cublas()
        assert torch.allclose(c, a @ b, rtol=1e-4), "cuBLAS's result differs"
    return found

"""Other libraries' transposes."""

from __future__ import annotations

import torch

from timing import HERE, Places, Times, copy_of, library, must, pointer, time

SIDE = 8192


def times(places: Places) -> Times:
    cublas = library(places.folder, "cublas", HERE / "cublas.cu", "-lcublas")
    matrices = [torch.rand(SIDE, SIDE, device="cuda") for _ in range(2)]
    outs = [torch.empty_like(matrix) for matrix in matrices]
    pairs = list(zip(matrices, outs, strict=True))

    def by_cublas(matrix: torch.Tensor, out: torch.Tensor) -> None:
        must(cublas.cublas_transpose(pointer(matrix), pointer(out), SIDE, SIDE))

    found = {
        "cublasSgeam": time([lambda p=p: by_cublas(*p) for p in pairs]),
        "torch, copy_ of .T": time([lambda m=m, o=o: o.copy_(m.T) for m, o in pairs]),
        "GPU's own copy of as many bytes": copy_of(8 * SIDE**2),
    }
    by_cublas(*pairs[0])
    assert torch.equal(outs[0], matrices[0].T), "cuBLAS's result differs"
    return {f"n = {SIDE}": found}

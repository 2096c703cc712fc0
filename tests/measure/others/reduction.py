"""Other libraries' sums."""

from __future__ import annotations

import ctypes

import torch

from timing import HERE, Places, Times, copy_of, library, must, pointer, time

N = 1 << 28


def times(places: Places) -> Times:
    # Whole numbers, few enough that no sum of some of them rounds.
    rows = [torch.randint(-64, 65, (N,), device="cuda").float() for _ in range(2)]
    out = torch.zeros((), device="cuda")
    cub = library(places.folder, "cub", HERE / "cub.cu")
    size = ctypes.c_size_t(0)
    must(cub.cub_sum(None, None, N, None, ctypes.byref(size)))
    scratch = torch.empty(max(1, size.value), dtype=torch.uint8, device="cuda")

    def by_cub(row: torch.Tensor) -> None:
        must(cub.cub_sum(pointer(row), pointer(out), N, pointer(scratch), ctypes.byref(size)))

    found = {
        "cub::DeviceReduce::Sum": time([lambda row=row: by_cub(row) for row in rows]),
        "torch.sum": time([lambda row=row: torch.sum(row, dim=0, out=out) for row in rows]),
        "half of the GPU's own copy": copy_of(8 * N) / 2,
    }
    by_cub(rows[0])
    assert out.item() == rows[0].sum(dtype=torch.float64).item(), "CUB's result differs"
    return {f"n = {N}": found}

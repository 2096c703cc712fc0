"""Other libraries' prefix sums."""

from __future__ import annotations

import ctypes

import torch

from timing import HERE, Places, Times, copy_of, library, must, pointer, time

N = 1 << 28


def times(places: Places) -> Times:
    rows = [torch.randint(-(2**31), 2**31, (N,), device="cuda").int() for _ in range(2)]
    out = torch.empty(N, dtype=torch.int32, device="cuda")
    cub = library(places.folder, "cub_scan", HERE / "cub_scan.cu")
    size = ctypes.c_size_t(0)
    must(cub.cub_scan(None, None, N, None, ctypes.byref(size)))
    scratch = torch.empty(max(1, size.value), dtype=torch.uint8, device="cuda")

    def by_cub(row: torch.Tensor) -> None:
        must(cub.cub_scan(pointer(row), pointer(out), N, pointer(scratch), ctypes.byref(size)))

    def by_torch(row: torch.Tensor) -> None:
        torch.cumsum(row, dim=0, dtype=torch.int32, out=out)

    found = {
        "cub::DeviceScan::InclusiveSum": time([lambda row=row: by_cub(row) for row in rows]),
        "torch.cumsum": time([lambda row=row: by_torch(row) for row in rows]),
        "the GPU's own copy": copy_of(8 * N),
    }
    by_cub(rows[0])
    by_library = out.clone()
    by_torch(rows[0])
    assert torch.equal(by_library, out), "the results differ"
    return {f"n = {N}": found}

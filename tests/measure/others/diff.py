"""Other libraries' differences of neighbors."""

from __future__ import annotations

import ctypes

import torch

from timing import HERE, Places, Times, library, must, pointer, time


def times(places: Places) -> Times:
    n = 1 << 28
    rows = [torch.randint(-(2**31), 2**31 - 1, (n,), device="cuda", dtype=torch.int32)]
    rows.append(rows[0].clone())
    outs = [torch.empty_like(row) for row in rows]
    cub = library(places.folder, "cub", HERE / "cub.cu")
    size = ctypes.c_size_t(0)
    must(cub.cub_adjacent_difference(None, None, n, None, ctypes.byref(size)))
    scratch = torch.empty(max(1, size.value), dtype=torch.uint8, device="cuda")

    def subtract_left(row: torch.Tensor, out: torch.Tensor) -> None:
        work = pointer(scratch)
        must(cub.cub_adjacent_difference(pointer(row), pointer(out), n, work, ctypes.byref(size)))

    pairs = list(zip(rows, outs, strict=True))
    found = {
        "cub::DeviceAdjacentDifference": time([lambda p=p: subtract_left(*p) for p in pairs]),
        "cub::DeviceTransform": time(
            [lambda p=p: must(cub.cub_transform(pointer(p[0]), pointer(p[1]), n)) for p in pairs]
        ),
        "torch.diff": time([lambda row=row: torch.diff(row) for row in rows]),
    }
    assert torch.equal(outs[0][1:], torch.diff(rows[0])), "CUB's result differs"
    try:
        import cupy
    except ImportError:
        pass
    else:
        views = [cupy.asarray(row) for row in rows]
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            found["cupy.diff"] = time([lambda view=view: cupy.diff(view) for view in views])
    return {f"n = {n}": found}

"""Other libraries' histograms of bytes. They set the counts, where ours adds to them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import torch

from timing import HERE, Places, Times, library, must, pointer, time

N = 1 << 28
VALUES = 256


def _uniform() -> torch.Tensor:
    return torch.randint(0, VALUES, (N,), device="cuda", dtype=torch.uint8)


def _skewed() -> torch.Tensor:
    """Nine bytes of ten are the same."""
    return torch.where(
        torch.rand(N, device="cuda") < 0.9, torch.full_like(_uniform(), 77), _uniform()
    )


def _constant() -> torch.Tensor:
    return torch.full((N,), 77, device="cuda", dtype=torch.uint8)


KINDS: dict[str, Callable[[], torch.Tensor]] = {
    "uniform": _uniform,
    "skewed": _skewed,
    "constant": _constant,
}


def times(places: Places) -> Times:
    cub = library(places.folder, "cub_histogram", HERE / "cub_histogram.cu")
    size = ctypes.c_size_t(0)
    must(cub.cub_histogram(None, None, N, None, ctypes.byref(size)))
    scratch = torch.empty(max(1, size.value), dtype=torch.uint8, device="cuda")
    counts = torch.empty(VALUES, dtype=torch.int32, device="cuda")

    def by_cub(data: torch.Tensor) -> None:
        work = pointer(scratch)
        must(cub.cub_histogram(pointer(data), pointer(counts), N, work, ctypes.byref(size)))

    found: Times = {}
    for name, draw in KINDS.items():
        inputs = [draw() for _ in range(2)]
        found[f"{name}, n = {N}"] = {
            "cub::DeviceHistogram": time([lambda data=data: by_cub(data) for data in inputs]),
            "torch.bincount": time(
                [lambda data=data: torch.bincount(data, minlength=VALUES) for data in inputs]
            ),
        }
        by_cub(inputs[0])
        assert torch.equal(counts, torch.bincount(inputs[0], minlength=VALUES).int()), name
    return found

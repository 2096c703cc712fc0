"""Other libraries' search for the nearest neighbors."""

from __future__ import annotations

import torch

from timing import Launch, Places, Times, time


def keops_search(points: torch.Tensor) -> Launch | None:
    """The two nearest points of each point, including itself. None if KeOps is not installed."""
    try:
        from pykeops.torch import LazyTensor
    except ImportError:
        return None
    distances = ((LazyTensor(points[:, None]) - LazyTensor(points[None])) ** 2).sum(-1)
    return lambda: distances.argKmin(2, dim=1)


def times(_: Places) -> Times:
    found: Times = {}
    for n in (10_240, 131_072):
        points = torch.rand(n, 3, device="cuda")
        rows = min(n, 8_192)

        def search(points: torch.Tensor = points, rows: int = rows) -> None:
            for first in range(0, len(points), rows):
                distance = torch.cdist(points[first : first + rows], points)
                own = torch.arange(len(distance), device="cuda")
                distance[own, first + own] = torch.inf
                distance.argmin(1)

        found[f"n = {n}"] = {"torch.cdist, argmin": time([search])}
        if by_keops := keops_search(points):
            found[f"n = {n}"]["KeOps, argKmin"] = time([by_keops])
    return found

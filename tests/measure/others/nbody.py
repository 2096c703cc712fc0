"""The n-body kernel of NVIDIA's samples."""

from __future__ import annotations

import ctypes

import torch

from timing import HERE, Places, Times, library, must, pointer, time


def _best_block(sample: ctypes.CDLL, n: int) -> float:
    arrays = [torch.rand(n, 4, device="cuda") for _ in range(3)]
    pointers = [pointer(one) for one in arrays]
    return min(
        time([lambda b=block: must(sample.run_nbody_sample(*pointers, n, b))])
        for block in (128, 256, 512)
    )


def times(places: Places) -> Times:
    if not (samples := places.cuda_samples):
        return {}
    folder = places.folder
    stub = folder / "GL"
    stub.mkdir()
    (stub / "freeglut.h").touch()
    include = [f"-I{folder}", f"-I{samples / 'Samples/5_Domain_Specific/nbody'}"]
    include.append(f"-I{samples / 'Common'}")
    found: Times = {}
    for flags in ([], ["-ftz=true"]):
        name = " ".join(["cuda-samples nbody", *flags])
        source = HERE / "nbody_sample.cu"
        sample = library(folder, f"nbody{len(flags)}", *include, *flags, source)
        for n in (16_384, 131_072):
            found.setdefault(f"n = {n}", {})[name] = _best_block(sample, n)
    return found

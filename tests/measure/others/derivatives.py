"""Derivatives by NVIDIA's sample, along x, and along all three axes at once."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import torch

from tilelab.labs import lab
from timing import HERE, REPO, Launch, Places, Times, copy_of, library, must, pointer, time

LAB = REPO / "labs" / "derivatives"
SOLUTIONS = REPO / "solutions" / "derivatives"
LAST_STEP = lab.load("derivatives").ladder[-1]

INCLUDE = (f"-I{LAB}", f"-I{SOLUTIONS / 'gradient'}")


def one_derivative(folder: Path, function: str, kernel: Path) -> ctypes.CDLL:
    """A kernel's function along one axis, as run_derivative(f, df, mx, my, mz)."""
    words = [*INCLUDE, f"-DDERIVATIVE={function}", HERE / "derivative.cu", kernel]
    return library(folder, f"{kernel.stem}_{function}", *words)


# NVIDIA's sample has its size in its source: its own, and the largest that its blocks allow.
SAMPLE_SIDES = (64, 256)


def beside_sample(folder: Path, sample: Path, side: int) -> Times:
    """Times df/dy and df/dz of NVIDIA's sample and of ours, on a grid that fits the sample."""
    place = folder / f"sample{side}"
    place.mkdir()
    sized = re.sub(r"\b(m[xyz]) = 64\b", rf"\g<1> = {side}", sample.read_text())
    (place / "finite-difference.cu").write_text(sized)
    theirs = library(place, "sample", f"-I{place}", HERE / "finite_difference_sample.cu")
    tensors = [torch.rand(side**3, device="cuda") for _ in range(2)]
    arrays = [pointer(tensor) for tensor in tensors]

    def by_sample(axis: int, large: int) -> Launch:
        return lambda: must(theirs.run_finite_difference(*arrays, axis, large))

    def by_ours(function: str, kernel: Path) -> Launch:
        ours = one_derivative(place, function, kernel)
        return lambda: must(ours.run_derivative(*arrays, side, side, side))

    found: Times = {}
    for axis, letter in ((1, "y"), (2, "z")):
        found[f"{letter}, {side} x {side} x {side}, beside a sample"] = {
            "NVIDIA finite-difference, small pencils": time([by_sample(axis, 0)]),
            "NVIDIA finite-difference, large pencils": time([by_sample(axis, 1)]),
            **{
                str(kernel.relative_to(SOLUTIONS)): time([by_ours(f"derivative_{letter}", kernel)])
                for kernel in (SOLUTIONS / "derivatives.cu", LAST_STEP)
            },
        }
    return found


def times(places: Places) -> Times:
    folder, sample = places.folder, places.finite_difference
    side = 512
    fast_x = SOLUTIONS / "gradient" / "derivative_x_float4.cu"
    fields = [torch.rand(side**3, device="cuda") for _ in range(2)]
    outs = [[torch.empty_like(field) for _ in range(3)] for field in fields]

    def launches(lib: ctypes.CDLL, function: str, results: int) -> list[Launch]:
        run = getattr(lib, function)
        return [
            lambda f=f, o=o: must(run(pointer(f), *map(pointer, o[:results]), side, side, side))
            for f, o in zip(fields, outs, strict=True)
        ]

    def along_x(function: str, kernel: Path) -> list[Launch]:
        return launches(one_derivative(folder, function, kernel), "run_derivative", 1)

    def gradient(name: str, *kernels: Path) -> list[Launch]:
        return launches(
            library(folder, name, *INCLUDE, HERE / "gradient.cu", *kernels), "run_gradient", 3
        )

    given = LAB / "derivative_x.cu"
    x = {
        "derivative_x.cu, small pencils": time(along_x("derivative_x_small_pencils", given)),
        "derivative_x.cu, large pencils": time(along_x("derivative_x_large_pencils", given)),
        "gradient/derivative_x_float4.cu": time(along_x("derivative_x", fast_x)),
        "GPU's own copy of as many bytes": copy_of(8 * side**3),
    }
    passes = [SOLUTIONS / "gradient" / "01_three_passes.cu", fast_x]
    all_three = {
        "three passes, y and z by the reference solution": time(
            gradient("three", *passes, SOLUTIONS / "derivatives.cu")
        ),
        f"three passes, y and z by ladder/{LAST_STEP.name}": time(
            gradient("three_best", *passes, LAST_STEP)
        ),
        "gradient/02_one_pass.cu": time(gradient("one", SOLUTIONS / "gradient" / "02_one_pass.cu")),
        "GPU's own copy of as many bytes": copy_of(16 * side**3),
    }
    size = f"{side} x {side} x {side}"
    found = {f"x, {size}": x, f"x, y and z, {size}": all_three}
    if sample:
        for sample_side in SAMPLE_SIDES:
            found |= beside_sample(folder, sample, sample_side)
    return found

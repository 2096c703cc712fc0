#!/usr/bin/env python3
"""Times other libraries on the labs' problems, and our kernels that are not submissions.

    ./tilelab bench --peers "python3 tests/measure/others/time_others.py [LAB...]"

Needs a GPU, nvcc and PyTorch, and uses CuPy and KeOps if they are installed. nbody needs
--cuda-samples DIR, a checkout of NVIDIA/cuda-samples. derivatives can use --finite-difference FILE
from NVIDIA-developer-blog/code-samples. The last line that it prints is a JSON object, {lab:
{problem: {name: milliseconds}}}.
Times are medians over rounds of batches, between CUDA events. Buffers take turns, so the L2 cache
has nothing useful.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
sys.path.insert(0, str(REPO / "grading"))

from tilelab.score import lab  # noqa: E402

LAB = REPO / "labs" / "derivatives"
SOLUTIONS = REPO / "solutions" / "derivatives"
LAST_STEP = lab.load("derivatives").ladder[-1]

ROUNDS = 9
BATCH_MS = 20.0

Launch = Callable[[], object]
Times = dict[str, dict[str, float]]


def time(launches: Sequence[Launch]) -> float:
    """Milliseconds of one launch. Each launch does the same on buffers of its own."""

    def batch(count: int) -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for i in range(count):
            launches[i % len(launches)]()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / count

    batch(2)
    count = max(1, int(BATCH_MS / batch(2)))
    batch(count)
    return statistics.median(batch(count) for _ in range(ROUNDS))


def library(folder: Path, name: str, *words: str | Path) -> ctypes.CDLL:
    """Compiles a shared library with nvcc."""
    major, minor = torch.cuda.get_device_capability()
    path = folder / f"{name}.so"
    command = ["nvcc", "-shared", "-Xcompiler", "-fPIC", "-std=c++20", "-O3", "-w"]
    command += [f"-arch=sm_{major}{minor}", *map(str, words), "-o", str(path)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(path))


def pointer(tensor: torch.Tensor) -> ctypes.c_void_p:
    return ctypes.c_void_p(tensor.data_ptr())


def must(status: int) -> None:
    if status != 0:
        raise RuntimeError(f"CUDA error {status}")


def copy_of(bytes_moved: int) -> float:
    """Times the GPU's own copy, which reads half of the bytes and writes the other half."""
    pairs = [
        [torch.empty(bytes_moved // 2, dtype=torch.uint8, device="cuda") for _ in range(2)]
        for _ in range(2)
    ]
    return time([lambda a=a, b=b: b.copy_(a) for a, b in pairs])


def diff(folder: Path) -> Times:
    n = 1 << 28
    rows = [torch.randint(-(2**31), 2**31 - 1, (n,), device="cuda", dtype=torch.int32)]
    rows.append(rows[0].clone())
    outs = [torch.empty_like(row) for row in rows]
    cub = library(folder, "cub", HERE / "cub.cu")
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


def keops_search(points: torch.Tensor) -> Launch | None:
    """The two nearest points of each point, including itself. None if KeOps is not installed."""
    try:
        from pykeops.torch import LazyTensor
    except ImportError:
        return None
    distances = ((LazyTensor(points[:, None]) - LazyTensor(points[None])) ** 2).sum(-1)
    return lambda: distances.argKmin(2, dim=1)


def nearest_neighbor() -> Times:
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


def _best_block(sample: ctypes.CDLL, n: int) -> float:
    arrays = [torch.rand(n, 4, device="cuda") for _ in range(3)]
    pointers = [pointer(one) for one in arrays]
    return min(
        time([lambda b=block: must(sample.run_nbody_sample(*pointers, n, b))])
        for block in (128, 256, 512)
    )


def nbody(folder: Path, samples: Path) -> Times:
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


def derivatives(folder: Path, sample: Path | None) -> Times:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuda-samples", type=Path, help="checkout of NVIDIA/cuda-samples")
    parser.add_argument("--finite-difference", type=Path, help="NVIDIA's finite-difference.cu")
    parser.add_argument("labs", nargs="*", metavar="LAB")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        timers: dict[str, Callable[[], Times]] = {
            "diff": lambda: diff(folder),
            "nearest_neighbor": nearest_neighbor,
            "derivatives": lambda: derivatives(folder, options.finite_difference),
        }
        if options.cuda_samples:
            timers["nbody"] = lambda: nbody(folder, options.cuda_samples.resolve())
        if unknown := set(options.labs) - set(timers):
            parser.error(f"nothing to time for {', '.join(unknown)}; nbody needs --cuda-samples")
        found = {one: timers[one]() for one in options.labs or timers}
    print(json.dumps(found))


if __name__ == "__main__":
    main()

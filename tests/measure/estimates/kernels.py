"""What the time estimates are compared with: kernels, and the problems that they solve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tilelab.labs import lab
from tilelab.model.lab import Lab

REPO = Path(__file__).resolve().parents[3]

RESULTS = REPO / "docs" / "results" / "estimates"


@dataclass(frozen=True)
class Problem:
    """A call of a lab's function. `call` is C++ with the size `n`; its arrays are written as in
    the `[estimate]` of lab.toml, as so many bytes of fractions, bits or zeros."""

    function: str
    n: int
    call: str

    def __str__(self) -> str:
        return f"{self.function} {self.n}"


@dataclass(frozen=True)
class Kernel:
    """A file that defines a lab's functions, and whether it is of the "ladder" or a "mistake".

    The baseline and the reference solution count as steps of the ladder.
    """

    lab: str
    name: str
    kind: str
    source: Path

    def problems(self) -> list[Problem]:
        sizes = LADDER_SIZES if self.kind == "ladder" else MISTAKE_SIZES
        return [
            Problem(function, n, call)
            for function, call in self.calls.items()
            for n in sizes[self.lab]
        ]

    @property
    def calls(self) -> dict[str, str]:
        """How to call each function that the file defines."""
        return CALLS[self.lab]

    @property
    def header(self) -> Path:
        """What declares the functions."""
        return self.as_lab().header

    def as_lab(self) -> Lab:
        return lab.load(self.lab)


_DERIVATIVE = "(fractions(4 * n * n * n), zeros(4 * n * n * n), n, n, n, 0.1f)"
_WEIGHTS = "Weights{{1.0f, 0.5f, 0.25f, 0.125f}}"

CALLS = {
    "first_kernel": {
        "saxpy": "saxpy(fractions(4 * n), fractions(4 * n), zeros(4 * n), 2.0f, n)",
    },
    "diff": {"diff": "diff(bits(4 * n), zeros(4 * n), n)"},
    "transpose": {"transpose": "transpose(fractions(4 * n * n), zeros(4 * n * n), n, n)"},
    "reduction": {"sum": "sum(fractions(4 * n), zeros(4), zeros(4 * n + 4096), n)"},
    "histogram": {"histogram": "histogram(bits(n), zeros(1024), n)"},
    "matmul": {
        "matmul": "matmul(fractions(4 * n * n), fractions(4 * n * n), zeros(4 * n * n), n, n, n)",
    },
    "nbody": {
        "nbody_step": "nbody_step(fractions(16 * n), fractions(16 * n), zeros(16 * n), "
        "zeros(16 * n), 0.01f, 0.1f, n)",
    },
    "nearest_neighbor": {
        "nearest_neighbor": "nearest_neighbor(fractions(12 * n), zeros(4 * n), n)",
    },
    "derivatives": {
        "derivative_y": f"derivative_y{_DERIVATIVE}",
        "derivative_z": f"derivative_z{_DERIVATIVE}",
    },
    # One block for each of the 132 multiprocessors of an H100 or H200.
    "pipeline": {"filter": f"filter(fractions(4 * n + 128), zeros(4 * n), {_WEIGHTS}, n, 132)"},
}

LADDER_SIZES = {
    "first_kernel": [2**18, 2**22, 2**26],
    "diff": [2**18, 2**21, 2**24, 2**28],
    "transpose": [512, 2048, 4096, 8192],
    "reduction": [2**18, 2**21, 2**24, 2**28],
    "histogram": [2**20, 2**24, 2**28],
    "matmul": [512, 1024, 2048, 4096],
    "nbody": [4096, 16384, 65536],
    "nearest_neighbor": [4096, 16384, 65536],
    "derivatives": [64, 128, 256, 512],
    "pipeline": [2**20, 2**24, 2**28],
}

MISTAKE_SIZES = {
    "first_kernel": [2**22, 2**26],
    "diff": [2**24, 2**28],
    "transpose": [4096, 8192],
    "reduction": [2**24, 2**28],
    "histogram": [2**24, 2**28],
    "matmul": [1024, 2048],
    "nbody": [4096, 16384],
    "nearest_neighbor": [4096, 16384],
    "derivatives": [128, 256],
    "pipeline": [2**24, 2**28],
}


def kernels() -> Iterator[Kernel]:
    """All kernels, in the order of the course."""
    for one in lab.course():
        if one.name not in CALLS:
            continue
        yield Kernel(one.name, "baseline", "ladder", one.baseline)
        for path in one.ladder:
            yield Kernel(one.name, path.stem, "ladder", path)
        yield Kernel(one.name, "reference", "ladder", one.reference)
        for path in sorted((one.solutions / "mistakes").glob("*.cu")):
            yield Kernel(one.name, path.stem, "mistake", path)


def flags(kernel: Kernel) -> list[str]:
    """Those that nvcc gets for a kernel's file."""
    return [
        *("-std=c++20", "-O3", "-w", f"-I{kernel.header.parent}"),
        *("-isystem", str(REPO / "common" / "worker" / "standard")),
    ]

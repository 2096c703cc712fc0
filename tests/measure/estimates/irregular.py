"""Times the irregular programs in heldout on a GPU.

    ./tilelab measure estimates/irregular

Builds each with nvcc, and runs it alone: it makes 20 launches after three to warm up. Writes
docs/results/estimates/nvidia_GPU_irregular.csv, such as nvidia_h200_irregular.csv.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tables
from heldout import PROGRAMS
from kernels import RESULTS
from tilelab import backends
from tilelab.backends import nvidia

# What the programs are about stands in the table of the first GPU.
_DESCRIBED = RESULTS / "nvidia_h100_irregular.csv"
_GPUS = ("H100", "H200")
_SECONDS = 300


def build(program: str, folder: Path) -> None:
    source = PROGRAMS / f"{program}.cu"
    flags = ["-O3", "-std=c++20", "-w", "-arch=native"]
    words = [nvidia.nvcc(), *flags, source, "-o", folder / program]
    subprocess.run(words, check=True, timeout=_SECONDS)


def time(program: str, folder: Path) -> dict[str, str]:
    """What the program prints of its launches: their shape, and milliseconds."""
    done = subprocess.run(
        [folder / program], check=True, capture_output=True, text=True, timeout=_SECONDS
    )
    words = done.stdout.split()
    grid, block = " ".join(words[2:5]), " ".join(words[5:8])
    shape = {"kernel": words[1], "grid": grid, "block": block, "dynamic_shared_bytes": words[8]}
    return shape | dict(zip(("milliseconds", "fastest", "slowest"), words[9:12], strict=True))


def main() -> None:
    tables.parser(__doc__).parse_args()
    device = backends.device()
    name = next((one for one in _GPUS if device and one in device.name), None)
    if name is None:
        sys.exit(f"this needs one of {', '.join(_GPUS)}")
    if nvidia.nvcc() is None:
        sys.exit("this needs nvcc")
    described = tables.rows(_DESCRIBED)
    programs = [row["program"] for row in described]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda program: build(program, folder), programs))
        rows = [row | time(row["program"], folder) for row in described]
    about = {"machine": f"an NVIDIA {name}, times of 20 launches after three to warm up"}
    path = RESULTS / f"nvidia_{name.lower()}_irregular.csv"
    tables.write(path, tables.Table(about, rows))


if __name__ == "__main__":
    main()

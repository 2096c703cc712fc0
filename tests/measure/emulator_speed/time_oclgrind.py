#!/usr/bin/env python3
"""Times Oclgrind, the closest existing tool, on the tiled nearest-neighbor kernel.

Needs the Debian and Ubuntu package `oclgrind`. Prints the shortest wall time of all runs.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KERNEL = Path(__file__).resolve().parent / "nearest_neighbor.cl"


def write_simulation(folder: Path, n: int, block: int) -> Path:
    """The input that oclgrind-kernel reads: program, kernel, sizes, arguments."""
    numbers = random.Random(1)
    points = " ".join(f"{numbers.random():.6f}" for _ in range(3 * n))
    source = KERNEL.read_text()
    (folder / KERNEL.name).write_text(f"#define BLOCK {block}\n{source}")
    simulation = folder / "nearest_neighbor.sim"
    simulation.write_text(
        f"{KERNEL.name}\nnearest_neighbor\n{n} 1 1\n{block} 1 1\n\n"
        f"<size={12 * n} float>\n{points}\n"
        f"<size={4 * n} int fill=0 dump>\n"
        f"<size=4 int>\n{n}\n"
    )
    return simulation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1024, help="points; 4096 takes minutes")
    parser.add_argument("--block", type=int, default=128)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulation = write_simulation(folder, arguments.n, arguments.block)
        for options in ([], ["--data-races"], ["--data-races", "--uninitialized"]):
            command = ["oclgrind-kernel", "--num-threads", str(arguments.threads), *options]
            times = []
            for _ in range(arguments.runs):
                begin = time.perf_counter()
                result = subprocess.run(
                    [*command, simulation.name],
                    cwd=folder,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                times.append(time.perf_counter() - begin)
                if result.returncode != 0 or "Argument 'nearest'" not in result.stdout:
                    sys.exit(f"{' '.join(command)}\n{result.stdout[-2000:]}{result.stderr}")
                if result.stderr:
                    print(result.stderr[:1000], file=sys.stderr)
            print(f"n={arguments.n} {' '.join(options) or 'plain'}: {min(times):.2f} s")


if __name__ == "__main__":
    main()

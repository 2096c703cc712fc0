#!/usr/bin/env python3
"""Measures what time estimates need to know of this machine's GPU, and writes it to a file.

    python3 tests/measure/gpu_figures/figures.py [--to FILE]

Takes a minute. Nothing else may use the GPU. Needs nvcc. The file is
grading/tilelab/estimate/figures/GPU.toml unless --to names another one; docs/estimates.md says what
is in it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
sys.path.insert(0, str(REPO / "grading"))

from tilelab.backends import nvidia  # noqa: E402
from tilelab.base.files import write_atomically  # noqa: E402
from tilelab.bench import results_file  # noqa: E402

FOLDER = REPO / "grading" / "tilelab" / "estimate" / "figures"
ESTIMATES = REPO / "docs" / "results" / "estimates" / "summary.json"
_SECONDS = 600

# What no microbenchmark measures, by where it comes from.
GIVEN: Mapping[str, Mapping[str, float]] = {
    "CUDA's documentation, for compute capability 9.0": {
        "l1_bytes": 262144,
        "fma": 2,
        "alu": 2,
        "xu": 8,
        "fp64": 2,
    },
    "literature: arXiv 2503.20481": {"read_window": 3},
    "chosen with ladders in view, on an H200": {
        "adu": 4,
        "uniform": 2,
        "l1_line": 1.2,
        "l1_queue": 60,
        "l2_queue": 800,
        "shared_increment": 1.4,
        "xu_latency": 24,
        "constant_latency": 30,
        "special_latency": 20,
        "shuffle_latency": 24,
        "block_latency": 380,
        "block_warp_latency": 14,
    },
}

HEAD = """\
# What an {gpu} can do. tests/measure/gpu_figures/figures.py wrote this, with driver {driver} and
# nvcc {nvcc}. docs/estimates.md says what each figure means. Cycles are those of a multiprocessor.
name = "{gpu}"
compute_capability = [{capability}]

# Nine in ten kernels take between `least` and `most` times the estimate, on an H200:
# docs/results/estimates.md.
[interval]
least = {least:.2f}
most = {most:.2f}

[figures]
"""


def measure() -> dict[str, str]:
    """What figures.cu prints, by name."""
    nvcc = nvidia.nvcc()
    assert nvcc is not None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "figures"
        words = [nvcc, "-std=c++20", "-O3", "-arch=native", "-o", program, HERE / "figures.cu"]
        subprocess.run(words, check=True, timeout=_SECONDS)
        done = subprocess.run(
            [program], check=True, timeout=_SECONDS, stdout=subprocess.PIPE, text=True
        )
    pairs = (line.partition(" ") for line in done.stdout.splitlines())
    return {name: value for name, _, value in pairs}


def text(gpu: str, driver: str, measured: Mapping[str, str]) -> str:
    """The file: what was measured, then what was not."""
    interval = json.loads(ESTIMATES.read_text(encoding="utf-8"))["interval"]
    head = HEAD.format(
        gpu=gpu,
        driver=driver,
        nvcc=nvidia.nvcc_version(),
        capability=measured["capability"].replace(" ", ", "),
        **interval,
    )
    lines = [
        f"{name} = {number(value)}" for name, value in measured.items() if name != "capability"
    ]
    for source, figures in GIVEN.items():
        lines += ["", f"# {source}", *(f"{name} = {value}" for name, value in figures.items())]
    return head + "\n".join(lines) + "\n"


def number(printed: str) -> str:
    """As TOML writes it: its exponents have no plus sign."""
    return printed.replace("e+", "e")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, help="the file to write")
    to = parser.parse_args().to
    gpu = nvidia.gpu()
    if gpu is None or nvidia.nvcc() is None:
        sys.exit("figures.py: this machine lacks an NVIDIA GPU or nvcc")
    path = to or FOLDER / f"{results_file.slug(gpu.name)}.toml"
    path.parent.mkdir(exist_ok=True)
    write_atomically(path, text(gpu.name, gpu.driver, measure()))
    print(f"Wrote {path}")


if __name__ == "__main__":
    main()

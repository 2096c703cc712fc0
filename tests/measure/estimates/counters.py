"""Asks Nsight Compute what limits the ladders' steps.

    ./tilelab measure estimates/counters [--labs diff matmul]
    ./tilelab measure estimates/counters --elsewhere CLONES [--labs llm.c]

Estimates are compared with that. Each function is called twice and the second call counts: in the
first, the driver still loads code. Writes docs/results/estimates/GPU_counters.csv with a row for
each launch, as it goes. Needs nvcc, ncu and permission to read the GPU's counters. With
--elsewhere, it asks about the programs that measure.py times with that option, and writes
GPU_elsewhere_counters.csv.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import tables
from kernels import Problem
from measure import add_choices, build_all, part, path, selected
from tilelab.backends import nsight_compute, nvidia
from tilelab.base.errors import InfraError

_SECONDS = 120

# Nsight Compute's reasons for which a warp does not issue, apart from being ready itself.
STALLS = (
    "long_scoreboard short_scoreboard barrier math_pipe_throttle mio_throttle lg_throttle wait "
    "dispatch_stall no_instruction branch_resolving drain membar imc_miss sleeping"
).split()
TIME = "gpu__time_duration.sum"
SHARES = {
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "l1": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "l2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
}
COLUMNS = ["lab", "kernel", "problem", "launch", "microseconds", *SHARES, *STALLS]


def metric(stall: str) -> str:
    return f"smsp__average_warps_issue_stalled_{stall}_per_issue_active.ratio"


def counts(row: Mapping[str, str]) -> list[str]:
    """The columns that come from Nsight Compute, for one launch: microseconds, shares in percent,
    and warps that wait while one issues, by reason."""

    def number(name: str, scale: float = 1) -> str:
        try:
            return f"{float(row[name].replace(',', '')) * scale:.4g}"
        except (KeyError, ValueError):
            return ""

    return [
        number(TIME, 1e-3),
        *(number(name) for name in SHARES.values()),
        *(number(metric(stall)) for stall in STALLS),
    ]


def profile(program: Path, problem: Problem) -> list[list[str]]:
    """The counts of each launch of a call. Raises InfraError."""
    ncu = nsight_compute.ncu()
    assert ncu is not None
    names = [TIME, *SHARES.values(), *map(metric, STALLS)]
    words = [str(ncu), "--clock-control", "none", "--csv", "--page", "raw"]
    words += ["--print-units", "base", "--metrics", ",".join(names)]
    words += [str(program), str(problem.n), "--twice"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise InfraError(f"Nsight Compute takes longer than {_SECONDS} s.") from error
    launches = nsight_compute.rows(done.stdout)[1:]  # after the units
    return [counts(row) for row in launches[len(launches) // 2 :]]


def main() -> None:
    parser = tables.parser(__doc__)
    add_choices(parser)
    options = parser.parse_args()
    gpu = nvidia.gpu()
    if gpu is None or nvidia.nvcc() is None or nsight_compute.ncu() is None:
        sys.exit("counters.py: this machine lacks an NVIDIA GPU, nvcc or Nsight Compute")
    with tempfile.TemporaryDirectory() as folder:
        chosen = [one for one in selected(options, Path(folder)) if one.kind != "mistake"]
        programs = build_all(chosen, Path(folder))
        with path(gpu.name, f"{part(options)}_counters").open("w", encoding="utf-8") as out:
            out.write(f"# {gpu.name}, driver {gpu.driver}, nvcc {nvidia.nvcc_version()}, ")
            out.write(f"ncu {nsight_compute.NsightCompute().version()}\n")
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(COLUMNS)
            for kernel, built in zip(chosen, programs, strict=True):
                problems = kernel.problems()
                least = min(problem.n for problem in problems)
                for problem in problems:
                    if problem.n == least or problem.function not in built:
                        continue
                    try:
                        launches = profile(built[problem.function], problem)
                    except InfraError as error:
                        print(f"{kernel.lab} {kernel.name}: {error}", file=sys.stderr)
                        continue
                    for i, launch in enumerate(launches):
                        writer.writerow([kernel.lab, kernel.name, str(problem), i, *launch])
                    out.flush()


if __name__ == "__main__":
    main()

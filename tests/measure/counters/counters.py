"""Counts what the last ladder steps do on this GPU.

    ./tilelab measure counters

Needs nvcc, PyTorch, ncu and permission to read the GPU's counters. Writes
docs/results/counters_GPU.csv, and the page of it.
"""

from __future__ import annotations

import datetime
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tables
from tables import Row, Table
from tilelab.backends import nsight_compute, nvidia
from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.repository import REPO
from tilelab.bench import results_file

HERE = Path(__file__).resolve().parent

_SECONDS = 900

HEAD = """\
# What the GPU's counters say about the ladders' last steps

Each function was called once under Nsight Compute, with the clocks not locked and the caches empty;
it may launch several kernels.

- *time*: of this one launch. *SM clock*: its mean during the launch.
- *issue*: the share of a multiprocessor's busy cycles in which a scheduler issues an instruction.
  *Instructions* are those of warps.
- *stalls*: what the warps of a scheduler wait for while it issues an instruction, in warps; the
  three reasons that hold up most. A warp that could issue and is not chosen does not count.
- *warps*: the occupancy, those on a multiprocessor as a share of the most that it can hold.
- *DRAM*: the share of the memory's peak throughput; next to it the bytes read and written.

`./tilelab measure counters` measures this, and writes a CSV file of the page's name.

| source | kernel | time | SM clock | issue | instructions | stalls | warps | registers | DRAM \
| read | written |
| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |
"""

TIME = "gpu__time_duration.sum"
CLOCK = "smsp__cycles_elapsed.avg.per_second"
ISSUE = "smsp__issue_active.avg.pct_of_peak_sustained_active"
INSTRUCTIONS = "smsp__inst_executed.sum"
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
REGISTERS = "launch__registers_per_thread"
DRAM = "dram__throughput.avg.pct_of_peak_sustained_elapsed"
READ = "dram__bytes_read.sum"
WRITTEN = "dram__bytes_write.sum"

STALLS = {
    reason: f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"
    for reason in (
        "barrier dispatch_stall long_scoreboard short_scoreboard math_pipe_throttle "
        "mio_throttle lg_throttle wait no_instruction"
    ).split()
}


@dataclass(frozen=True)
class Column:
    """A count in the CSV file: so many of the metric's unit, with these digits, in this unit."""

    metric: str
    form: str
    unit: str = ""
    scale: float = 1.0


COLUMNS = {
    "milliseconds": Column(TIME, ".4f", " ms", 1e3),
    "sm_mhz": Column(CLOCK, ".0f", " MHz", 1e-6),
    "issue_percent": Column(ISSUE, ".1f", "%"),
    "instructions": Column(INSTRUCTIONS, ".4g"),
    **{reason: Column(metric, ".2f") for reason, metric in STALLS.items()},
    "warps_percent": Column(WARPS, ".1f", "%"),
    "registers": Column(REGISTERS, ".0f"),
    "dram_percent": Column(DRAM, ".1f", "%"),
    "read_mb": Column(READ, ".1f", " MB", 1e-6),
    "written_mb": Column(WRITTEN, ".1f", " MB", 1e-6),
}
METRICS = [column.metric for column in COLUMNS.values()]

# How many of a unit make a second, a hertz or a byte. Older versions of ncu spell units out.
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
UNITS |= {"nsecond": 1e-9, "usecond": 1e-6, "msecond": 1e-3, "second": 1.0}
UNITS |= {"Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "Khz": 1e3, "Mhz": 1e6, "Ghz": 1e9}
UNITS |= {"cycle/nsecond": 1e9, "cycle/usecond": 1e6, "cycle/ns": 1e9, "cycle/us": 1e6}


@dataclass(frozen=True)
class Case:
    """A function of a file that is called once. It launches `kernels` in this order.

    `size` is the number of elements, or the side of a grid.
    """

    file: str
    function: str
    size: int
    kernels: tuple[str, ...]

    @property
    def source(self) -> Path:
        return REPO / "solutions" / self.file

    @property
    def header(self) -> Path:
        if self.function == "gradient":
            return self.source.with_name("gradient.h")
        name = self.file.partition("/")[0]
        return REPO / "labs" / name / f"{name}.h"


CASES = (
    Case("diff/diff.cu", "diff", 1 << 28, ("diff_groups",)),
    Case("nbody/ladder/08_warps.cu", "nbody_step", 131_072, ("nbody_kernel",)),
    Case("nbody/ladder/09_pairs_once.cu", "nbody_step", 131_072, ("pull_kernel", "move_kernel")),
    Case(
        "nearest_neighbor/ladder/08_minimum_of_three.cu",
        "nearest_neighbor",
        131_072,
        ("nearest_kernel",),
    ),
    Case(
        "nearest_neighbor/ladder/09_recentered_filter.cu",
        "nearest_neighbor",
        131_072,
        ("frame_kernel", "nearest_kernel"),
    ),
    Case(
        "nearest_neighbor/ladder/10_pairs_once.cu",
        "nearest_neighbor",
        131_072,
        ("frame_kernel", "first_look_kernel", "pairs_kernel", "write_kernel"),
    ),
    Case("derivatives/ladder/09_without_a_sweep.cu", "derivative_y", 512, ("derivative_y_kernel",)),
    Case("derivatives/ladder/09_without_a_sweep.cu", "derivative_z", 512, ("derivative_z_kernel",)),
    Case("derivatives/gradient/02_one_pass.cu", "gradient", 512, ("gradient_kernel",)),
)


@dataclass(frozen=True)
class Launch:
    """One kernel's counts by metric, in seconds, hertz and bytes. None if there is no count."""

    kernel: str
    counts: Mapping[str, float | None]


def read(text: str) -> list[Launch]:
    """Reads ncu's CSV of the page "raw": names, units, a row per launch. Raises InfraError."""
    units, *launches = nsight_compute.rows(text)
    if missing := [metric for metric in METRICS if metric not in units]:
        raise InfraError(f"Nsight Compute has no column {missing[0]}.")
    return [
        Launch(
            row["Kernel Name"],
            {metric: _number(row[metric], UNITS.get(units[metric], 1.0)) for metric in METRICS},
        )
        for row in launches
    ]


def _number(text: str, unit: float) -> float | None:
    try:
        return float(text.replace(",", "")) * unit
    except ValueError:
        return None


def by_case(launches: Sequence[Launch]) -> list[tuple[Case, Launch]]:
    """Each launch with its case. Raises InfraError if other launches were expected."""
    expected = [(case, kernel) for case in CASES for kernel in case.kernels]
    found = [one.kernel for one in launches]
    if found != [kernel for _, kernel in expected]:
        raise InfraError(f"other kernels were launched than expected: {', '.join(found)}.")
    return [(case, one) for (case, _), one in zip(expected, launches, strict=True)]


def row(case: Case, launch: Launch) -> dict[str, str]:
    """A row of the CSV file. What was not counted is empty."""
    names = {"file": case.file, "function": case.function, "size": str(case.size)}
    counted = {name: _cell(column, launch) for name, column in COLUMNS.items()}
    return {**names, "kernel": launch.kernel, **counted}


def _cell(column: Column, launch: Launch) -> str:
    count = launch.counts[column.metric]
    return "" if count is None else f"{count * column.scale:{column.form}}"


def largest_stalls(row: Row) -> list[str]:
    """The three reasons for which the most warps wait."""
    known = [reason for reason in STALLS if row[reason]]
    return sorted(known, key=lambda reason: -float(row[reason]))[:3]


def line(row: Row) -> str:
    size = f"{row['size']}^3" if row["file"].startswith("derivatives/") else f"n = {row['size']}"
    cells = [
        f"{row[name]}{column.unit}" if row[name] else "n/a"
        for name, column in COLUMNS.items()
        if name not in STALLS
    ]
    stalls = ", ".join(f"{reason} {row[reason]}" for reason in largest_stalls(row)) or "n/a"
    source = f"`{row['file']}`, `{row['function']}`, {size}"
    # The stalls come after the instructions.
    return tables.line(source, f"`{row['kernel']}`", *cells[:4], stalls, *cells[4:])


def page(table: Table) -> str:
    made = f"{table.facts['machine']}, {table.facts['date']}."
    return HEAD + "\n".join([*map(line, table.rows), "", made, ""])


def count() -> str:
    """Runs counted.py under ncu and returns its output. Raises InfraError."""
    program = nsight_compute.ncu()
    if program is None:
        raise InfraError("Nsight Compute (ncu) is not installed.")
    kernels = sorted({kernel for case in CASES for kernel in case.kernels})
    with tempfile.TemporaryDirectory(prefix="tilelab-counters-") as name:
        log = Path(name) / "ncu.csv"
        command = [program, "--target-processes", "application-only", "--clock-control", "none"]
        command += ["--csv", "--page", "raw", "--print-units", "base", "--log-file", log]
        command += ["--print-kernel-base", "function", "-k", f"regex:^({'|'.join(kernels)})$"]
        command += ["--metrics", ",".join(METRICS), sys.executable, HERE / "counted.py"]
        finished = process.run(command, seconds=_SECONDS, keep=1024 * 1024)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    if finished.timed_out:
        raise InfraError(f"Nsight Compute did not end within {_SECONDS} s.")
    if finished.status != 0:
        raise InfraError(f"Nsight Compute failed: {why(text, finished.output)}")
    return text


def why(log: str, output: str) -> str:
    """One line with ncu's own errors and the last line of the program that it ran."""
    errors = [line for line in log.splitlines() if line.startswith("==ERROR==")]
    return " ".join([*errors, *output.strip().splitlines()[-1:]])[:500] or "it said nothing."


def main() -> None:
    tables.parser(__doc__, page).parse_args()
    gpu = nvidia.gpu()
    if gpu is None:
        sys.exit("counters.py: this machine has no NVIDIA GPU")
    try:
        rows = [row(*one) for one in by_case(read(count()))]
    except InfraError as error:
        sys.exit(f"counters.py: {error}")
    today = datetime.date.today().isoformat()
    tools = f"nvcc {nvidia.nvcc_version()}, ncu {nsight_compute.NsightCompute().version()}"
    facts = {"machine": f"{gpu.name}, driver {gpu.driver}, {tools}", "date": today}
    path = tables.RESULTS / f"counters_{results_file.slug(gpu.name)}.csv"
    tables.publish(path, Table(facts, rows), page)


if __name__ == "__main__":
    main()

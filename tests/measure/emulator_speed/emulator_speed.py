"""Measures what running and observing kernels costs.

    ./tilelab measure emulator_speed [--hip-cpu DIR] [--oclgrind]

DIR is a checkout of HIP-CPU, which needs the Debian package libtbb-dev. PoCL is measured where the
packages ocl-icd-opencl-dev and pocl-opencl-icd are installed. --oclgrind measures the package
oclgrind as well, which takes minutes. All programs take turns on one core, and print CPU time.
Writes docs/results/emulator_speed.csv, and the page of it.
"""

from __future__ import annotations

import datetime
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import tables
from machine import processor
from tables import Row, Table
from targets import BIN, build

HERE = Path(__file__).resolve().parent

PROBLEMS = {
    "matmul": "matrix product, 256 x 256, tiles of 16 x 16",
    "nearest": "nearest neighbor, 4096 points, tiles of 128",
    "reduction": "sums of 512 elements by a tree, 1,048,576 elements, blocks of 256",
    "transpose": "transpose, 1024 x 1024, tiles of 32 x 33",
}
ROUNDS = 5
SECONDS = "0.1"
CHECKED_OCLGRIND = ("--data-races", "--uninitialized")

Command = list[str | Path]


class Programs:
    """What is timed, by name: a command that lacks the problem and the seconds."""

    def __init__(self) -> None:
        self.commands: dict[str, tuple[Command, Command]] = {}  # what comes before and after
        self.slow: set[str] = set()  # these run once, without a warm-up

    def add(self, name: str, before: Command, after: Command, is_slow: bool = False) -> None:
        self.commands[name] = (before, after)
        if is_slow:
            self.slow.add(name)


def compile_program(source: str, program: Path, *flags: str | Path) -> bool:
    command = ["g++", "-std=c++20", "-O2", "-w", HERE / source, "-o", program, *flags]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(f"{source} does not compile, and is left out:\n{result.stderr}", file=sys.stderr)
    return result.returncode == 0


def find_programs(folder: Path, hip_cpu: Path | None, with_oclgrind: bool) -> Programs:
    programs = Programs()
    programs.add("serial", [BIN / "timed_serial"], [])
    programs.add("fast", [BIN / "timed_fast"], [])
    programs.add("counts", [BIN / "timed_checked"], ["counts"])
    programs.add("full check", [BIN / "timed_checked"], ["everything"])
    hip = folder / "hip"
    if hip_cpu and compile_program("hip.cpp", hip, "-I", hip_cpu / "include", "-ltbb", "-pthread"):
        programs.add("HIP-CPU", [hip], [])
    opencl = folder / "opencl"
    drivers = Path("/etc/OpenCL/vendors")
    if not Path("/usr/include/CL/cl.h").exists():
        return programs
    if not compile_program("opencl.cpp", opencl, "-lOpenCL"):
        return programs
    kernels: Command = [HERE / "kernels.cl"]
    if any(drivers.glob("pocl*")):
        programs.add("PoCL", [opencl], [*kernels, "Portable"])
    if with_oclgrind:
        oclgrind: Command = ["oclgrind", "--num-threads", "1"]
        programs.add("Oclgrind", [*oclgrind, opencl], [*kernels, "Oclgrind"], is_slow=True)
        checked = [*oclgrind, *CHECKED_OCLGRIND, opencl]
        programs.add("Oclgrind, full check", checked, [*kernels, "Oclgrind"], is_slow=True)
    return programs


def run(programs: Programs, name: str, problem: str) -> tuple[float, str]:
    """CPU milliseconds of one launch, and the checksum of its result."""
    before, after = programs.commands[name]
    seconds = "0" if name in programs.slow else SECONDS
    command = [*before, problem, seconds, *after]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    time, checksum = output.split()[-2:]
    return float(time) * 1e3, checksum


def measure(programs: Programs, problem: str) -> dict[str, float]:
    """The median of each program's times. The programs take turns."""
    times: dict[str, list[float]] = {name: [] for name in programs.commands}
    checksums = set()
    for number in range(ROUNDS):
        for name in programs.commands:
            if name in programs.slow and number > 0:
                continue
            milliseconds, checksum = run(programs, name, problem)
            times[name].append(milliseconds)
            checksums.add(checksum)
    if len(checksums) != 1:
        sys.exit(f"{problem}: the programs do not have the same result")
    return {name: statistics.median(each) for name, each in times.items()}


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("--hip-cpu", type=Path, metavar="DIR")
    parser.add_argument("--oclgrind", action="store_true")
    arguments = parser.parse_args()
    build("emulator_speed")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    facts = {"processor": processor(), "rounds": str(ROUNDS)}
    facts["date"] = datetime.date.today().isoformat()
    rows: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        programs = find_programs(Path(folder), arguments.hip_cpu, arguments.oclgrind)
        for problem in PROBLEMS:
            rows += [
                {"problem": problem, "program": name, "milliseconds": f"{each:.6g}"}
                for name, each in measure(programs, problem).items()
            ]
            print(f"measured {problem}", flush=True)
    tables.publish(tables.RESULTS / "emulator_speed.csv", Table(facts, rows), page)


def page(table: Table) -> str:
    facts = table.facts
    text = f"""# What running and observing kernels costs on a CPU

Written by `./tilelab measure emulator_speed` on {facts["date"]}, on one core of
"{facts["processor"]}". The times are CPU milliseconds of one launch, the medians of
{facts["rounds"]} rounds in which the programs took turns. Times on a shared machine vary, so only
compare times of one run. [emulator_speed.csv](emulator_speed.csv) has them.

`serial` is the plain C++ loop at `-O2`, `fast` the emulator's fast build, `counts` its checked
build with memory traffic, `full check` with data races and uninitialized reads as well. HIP-CPU
is a library that runs the same kernels with fibers as well. PoCL compiles the same kernels in
OpenCL for the CPU.
"""
    if any(row["program"] == "Oclgrind" for row in table.rows):
        text += """
Oclgrind interprets them, once only. Its full check looks for data races and uninitialized reads.
"""
    for problem, rows in table.by("problem").items():
        text += f"\n## {problem}: {PROBLEMS[problem]}\n\n{times(rows)}\n"
    return text


def times(rows: Sequence[Row]) -> str:
    found = {row["program"]: float(row["milliseconds"]) for row in rows}
    lines = ["| | ms | x serial |", "| --- | ---: | ---: |"]
    for name, each in found.items():
        lines.append(tables.line(name, f"{each:,.2f}", f"{each / found['serial']:,.2f}"))
    return "\n".join(lines)


if __name__ == "__main__":
    main()

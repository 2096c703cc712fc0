"""Measures what running and observing kernels costs, and writes docs/results/emulator_speed.md.

python tests/measure/emulator_speed/write_results.py [--hip-cpu DIR] [--oclgrind]
    (after: cmake --build --preset emulator --target emulator_speed)

DIR is a checkout of HIP-CPU, which needs the Debian package libtbb-dev. PoCL is measured where the
packages ocl-icd-opencl-dev and pocl-opencl-icd are installed. --oclgrind measures the package
oclgrind as well, which takes minutes. All programs take turns on one core, and print CPU time.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
PAGE = REPO / "docs" / "results" / "emulator_speed.md"
PROGRAMS = REPO / "build" / "emulator" / "bin"

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
    programs.add("serial", [PROGRAMS / "timed_serial"], [])
    programs.add("fast", [PROGRAMS / "timed_fast"], [])
    programs.add("counts", [PROGRAMS / "timed_checked"], ["counts"])
    programs.add("full check", [PROGRAMS / "timed_checked"], ["everything"])
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


def table(times: dict[str, float]) -> str:
    serial = times["serial"]
    rows = ["| | ms | x serial |", "| --- | ---: | ---: |"]
    rows += [f"| {name} | {each:,.2f} | {each / serial:,.2f} |" for name, each in times.items()]
    return "\n".join(rows)


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hip-cpu", type=Path, metavar="DIR")
    parser.add_argument("--oclgrind", action="store_true")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    text = f"""# What running and observing kernels costs on a CPU

Written by `python tests/measure/emulator_speed/write_results.py` on {datetime.date.today()},
on one core of "{processor()}". The times are CPU milliseconds of one launch, the medians of
{ROUNDS} rounds in which the programs took turns. Times on a shared machine vary, so only compare
times of one run.

`serial` is the plain C++ loop at `-O2`, `fast` the emulator's fast build, `counts` its checked
build with memory traffic, `full check` with data races and uninitialized reads as well. HIP-CPU
is a library that runs the same kernels with fibers as well. PoCL compiles the same kernels in
OpenCL for the CPU.
"""
    if arguments.oclgrind:
        text += """
Oclgrind interprets them, once only. Its full check looks for data races and uninitialized reads.
"""
    with tempfile.TemporaryDirectory() as folder:
        programs = find_programs(Path(folder), arguments.hip_cpu, arguments.oclgrind)
        for problem, title in PROBLEMS.items():
            text += f"\n## {problem}: {title}\n\n{table(measure(programs, problem))}\n"
            print(f"measured {problem}", flush=True)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

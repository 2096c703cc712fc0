#!/usr/bin/env python3
"""Times the kernels that time estimates are compared with, on this machine's GPU.

    python3 tests/measure/estimates/measure.py [--labs diff matmul] [--again]

Builds every ladder step and every typical mistake, and times each at several sizes. Writes
docs/results/estimates/GPU.csv as it goes, and leaves out what is there already unless --again is
given. A kernel that fails, or takes longer than ten seconds, has no time. Needs nvcc; nothing else
may use the GPU.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from kernels import CALLS, RESULTS, Kernel, Problem, flags, kernels  # noqa: E402
from tilelab.backends import nvidia  # noqa: E402
from tilelab.bench import results_file  # noqa: E402

COLUMNS = ["lab", "kernel", "kind", "problem", "milliseconds", "least", "most"]
_SECONDS = 10
_BUILD_SECONDS = 300


def build(kernel: Kernel, folder: Path, architecture: str = "native") -> dict[str, Path]:
    """A program for each function that the kernel's file defines; none if it does not compile."""
    nvcc = nvidia.nvcc()
    assert nvcc is not None
    made = {}
    for function, call in CALLS[kernel.lab].items():
        program = folder / f"{kernel.lab}-{kernel.kind}-{kernel.name}-{function}"
        timed = program.with_suffix(".cu")
        timed.write_text(f'#include "{kernel.lab}.h"\n#define CALL {call}\n#include "timed.cu"\n')
        words = [str(nvcc), *flags(kernel), "-lineinfo", f"-arch={architecture}", f"-I{HERE}"]
        words += [str(timed), str(kernel.source), "-o", str(program)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=_BUILD_SECONDS)
        if done.returncode == 0:
            made[function] = program
        else:
            print(f"{kernel.source}: {done.stderr.strip()[-200:]}", file=sys.stderr)
    return made


def build_all(chosen: list[Kernel], folder: Path) -> list[dict[str, Path]]:
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda kernel: build(kernel, folder), chosen))


def time(program: Path, problem: Problem) -> list[str] | str:
    """The median, least and greatest of the milliseconds, or why there are none."""
    words = [str(program), str(problem.n)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return f"it takes longer than {_SECONDS} s"
    return done.stdout.split() if done.returncode == 0 else done.stderr.strip()[-200:]


def selected(labs: list[str] | None) -> list[Kernel]:
    return [one for one in kernels() if not labs or one.lab in labs]


def wanted(kernel: Kernel, known: set[tuple[str, ...]]) -> list[Problem]:
    """The problems whose times are not known yet."""
    names = (kernel.lab, kernel.name, kernel.kind)
    return [problem for problem in kernel.problems() if (*names, str(problem)) not in known]


def path(gpu: str, what: str = "") -> Path:
    return RESULTS / f"{results_file.slug(gpu)}{what}.csv"


def rows(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file whose first lines, which begin with #, say where it comes from."""
    if not file.is_file():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labs", nargs="+", choices=list(CALLS))
    parser.add_argument("--again", action="store_true", help="also what has been timed already")
    options = parser.parse_args()
    gpu = nvidia.gpu()
    if gpu is None or nvidia.nvcc() is None:
        sys.exit("measure.py: this machine lacks an NVIDIA GPU or nvcc")
    file = path(gpu.name)
    if options.again:
        file.unlink(missing_ok=True)
    known: set[tuple[str, ...]] = {
        (row["lab"], row["kernel"], row["kind"], row["problem"]) for row in rows(file)
    }
    chosen = [one for one in selected(options.labs) if wanted(one, known)]
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, file.open("a", encoding="utf-8") as out:
        programs = build_all(chosen, Path(folder))
        writer = csv.writer(out, lineterminator="\n")
        if not known:
            out.write(f"# {gpu.name}, driver {gpu.driver}, nvcc {nvidia.nvcc_version()}\n")
            writer.writerow(COLUMNS)
        for kernel, built in zip(chosen, programs, strict=True):
            for problem in wanted(kernel, known):
                words = [kernel.lab, kernel.name, kernel.kind, str(problem)]
                if problem.function not in built:
                    continue
                found = time(built[problem.function], problem)
                if isinstance(found, str):
                    print(f"{' '.join(words)}: {found}", file=sys.stderr)
                    continue
                writer.writerow([*words, *found])
                out.flush()


if __name__ == "__main__":
    main()

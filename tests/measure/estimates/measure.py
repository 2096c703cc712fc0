"""Times the kernels that estimates are compared with.

    ./tilelab measure estimates/measure [--labs diff matmul] [--again]
    ./tilelab measure estimates/measure --elsewhere CLONES [--labs llm.c] [--again]

Builds every ladder step and every typical mistake, and times each on this machine's GPU at several
sizes. Writes docs/results/estimates/GPU.csv as it goes, and leaves out what is there already unless
--again is given. A kernel that fails, or takes longer than ten seconds, has no time. Needs nvcc;
nothing else may use the GPU.

With --elsewhere, it times programs from elsewhere instead (see elsewhere.py), of collections or
files that --labs names, and writes GPU_elsewhere.csv. CLONES is a folder with a clone of each
collection, named OWNER+NAME.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import elsewhere
import tables
from kernels import RESULTS, Kernel, Problem, flags, kernels
from tilelab.backends import nvidia
from tilelab.bench import results_file

HERE = Path(__file__).resolve().parent

COLUMNS = ["lab", "kernel", "kind", "problem", "milliseconds", "least", "most"]
_SECONDS = 10
_BUILD_SECONDS = 300


def build(kernel: Kernel, folder: Path, architecture: str = "native") -> dict[str, Path]:
    """A program for each function that the kernel's file defines; none if it does not compile."""
    nvcc = nvidia.nvcc()
    assert nvcc is not None
    stem = folder / f"{kernel.lab}-{kernel.kind}-{kernel.name}"
    compiled = Path(f"{stem}.o")
    words = [str(nvcc), *flags(kernel), "-lineinfo", f"-arch={architecture}", f"-I{HERE}"]
    if not _compiles([*words, "-c", str(kernel.source), "-o", str(compiled)], kernel):
        return {}
    made = {}
    for function, call in kernel.calls.items():
        program, timed = Path(f"{stem}-{function}"), Path(f"{stem}-{function}.cu")
        timed.write_text(
            f'#include "{kernel.header.name}"\n#define CALL {call}\n#include "timed.cu"\n'
        )
        if _compiles([*words, str(timed), str(compiled), "-o", str(program)], kernel):
            made[function] = program
    return made


def _compiles(words: list[str], kernel: Kernel) -> bool:
    done = subprocess.run(words, capture_output=True, text=True, timeout=_BUILD_SECONDS)
    if done.returncode != 0:
        print(f"{kernel.source}: {done.stderr.strip()[-200:]}", file=sys.stderr)
    return done.returncode == 0


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


def add_choices(parser: argparse.ArgumentParser) -> None:
    """The options of selected() and of part()."""
    parser.add_argument("--elsewhere", type=Path, metavar="CLONES", help="programs from elsewhere")
    parser.add_argument("--labs", nargs="+", help="only these labs, collections or files")


def selected(options: argparse.Namespace, work: Path) -> list[Kernel]:
    """The kernels that the options name. Those from elsewhere are written to the folder `work`."""
    found: list[Kernel]
    if options.elsewhere:
        found = list(elsewhere.programs(options.elsewhere, work, options.labs))
    else:
        found = [one for one in kernels() if not options.labs or one.lab in options.labs]
    known = {name for one in found for name in (one.lab, one.name)}
    if unknown := set(options.labs or ()) - known:
        sys.exit(f"{sys.argv[0]}: there is no {', '.join(sorted(unknown))}")
    return found


def part(options: argparse.Namespace) -> str:
    """What sets the results' files of the selected kernels apart."""
    return "_elsewhere" if options.elsewhere else ""


def wanted(kernel: Kernel, known: set[tuple[str, ...]]) -> list[Problem]:
    """The problems whose times are not known yet."""
    names = (kernel.lab, kernel.name, kernel.kind)
    return [problem for problem in kernel.problems() if (*names, str(problem)) not in known]


def path(gpu: str, what: str = "") -> Path:
    return RESULTS / f"{results_file.slug(gpu)}{what}.csv"


def main() -> None:
    parser = tables.parser(__doc__)
    add_choices(parser)
    parser.add_argument("--again", action="store_true", help="also what has been timed already")
    options = parser.parse_args()
    gpu = nvidia.gpu()
    if gpu is None or nvidia.nvcc() is None:
        sys.exit("measure.py: this machine lacks an NVIDIA GPU or nvcc")
    file = path(gpu.name, part(options))
    if options.again:
        file.unlink(missing_ok=True)
    known: set[tuple[str, ...]] = {
        (row["lab"], row["kernel"], row["kind"], row["problem"]) for row in tables.rows(file)
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, file.open("a", encoding="utf-8") as out:
        chosen = [one for one in selected(options, Path(folder)) if wanted(one, known)]
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

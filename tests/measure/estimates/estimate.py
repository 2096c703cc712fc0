"""Estimates the times of the kernels that measure.py times.

    ./tilelab measure estimates/estimate [--labs diff matmul] [--again]
    ./tilelab measure estimates/estimate --elsewhere CLONES [--labs llm.c] [--again]

Needs no GPU. Compiles each file with nvcc, and writes docs/results/estimates/GPU_estimates.csv as
it goes, for each GPU whose figures are known; leaves out what is there already unless --again is
given. Takes an hour of processor time, on all cores. Needs nvcc, nvdisasm and the emulator's
preset: cmake --build --preset emulator --target estimator. With --elsewhere, it estimates the
programs that measure.py times with that option, and writes GPU_elsewhere_estimates.csv.
"""

from __future__ import annotations

import csv
import functools
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import tables
from kernels import REPO, Kernel, Problem
from measure import add_choices, part, path, selected, wanted
from tilelab.base.errors import CompileError, InfraError, UserError
from tilelab.base.files import work_folder
from tilelab.estimate import figures, prediction
from tilelab.estimate.figures import Figures
from tilelab.model.simulation import Simulated
from tilelab.pipeline.estimating import recording, simulate
from tilelab.pipeline.harness import missing, toolchain
from tilelab.pipeline.records.stages import Inspected
from tilelab.pipeline.texts.tokens import parse

BUILD = REPO / "build"
PRESET = "emulator"
_BUSY = ("issue", "l1", "l2", "atomics", "dram")
COLUMNS = ["lab", "kernel", "kind", "problem", "milliseconds", "launches", *_BUSY]
COLUMNS += ["stall", "abstained"]


def call_of(problem: Problem) -> str:
    """The call as the recorder compiles it, with its size."""
    return f"[](long long n) {{ {problem.call}; }}({problem.n})"


def columns(found: Sequence[Simulated] | str, gpu: Figures) -> list[str]:
    """What follows the problem in a row."""
    if isinstance(found, str) or not found:
        reason = found if isinstance(found, str) else "it launches no kernel"
        return [""] * (len(COLUMNS) - 5) + [reason]
    predicted = prediction.predict(found, gpu)
    is_known = not isinstance(predicted, str)
    per_millisecond = gpu.values["gigahertz"] * 1e6
    longest = max(found, key=lambda one: one.cycles)
    shares = prediction.busy(longest, gpu)
    waits = {name: it for name, it in longest.stalls.items() if "selected" not in name}
    return [
        f"{predicted.milliseconds:.6g}" if is_known else "",
        " ".join(f"{one.cycles / per_millisecond:.6g}" for one in found),
        *(f"{shares[name]:.3g}" for name in _BUSY),
        max(waits, key=lambda name: waits[name]),
        "" if is_known else predicted,
    ]


Known = set[tuple[str, ...]]
# For each GPU, by name, rows of its file.
Made = dict[str, list[list[str]]]


def estimate(kernel: Kernel, gpus: Sequence[Figures], known: Mapping[str, Known]) -> Made:
    """For each GPU, a row for each problem that is not known yet."""
    wanted_by = {gpu.name: wanted(kernel, known[gpu.name]) for gpu in gpus}
    problems = list(dict.fromkeys(one for found in wanted_by.values() for one in found))
    if not problems:
        return {}
    calls = tuple(map(call_of, problems))
    made: Made = {gpu.name: [] for gpu in gpus}
    with work_folder() as work:
        text = kernel.source.read_text(encoding="utf-8")
        inspected = Inspected(kernel.as_lab(), text, parse(text))
        try:
            recorder = recording.compile_calls(
                inspected, calls, gpus[0], toolchain.load(PRESET, BUILD / PRESET), work
            )
        except CompileError:
            return {}
        for gpu in gpus:
            for problem in wanted_by[gpu.name]:
                found: Sequence[Simulated] | str
                try:
                    call, multiprocessors = problems.index(problem), gpu.values["multiprocessors"]
                    recorded = recording.record_steadily(recorder, call, multiprocessors)
                    found = simulate(recorder, recorded, gpu, work)
                except UserError as error:
                    found = str(error)
                names = (kernel.lab, kernel.name, kernel.kind, str(problem))
                made[gpu.name].append([*names, *columns(found, gpu)])
    return made


def estimate_or_say(kernel: Kernel, gpus: Sequence[Figures], known: Mapping[str, Known]) -> Made:
    try:
        return estimate(kernel, gpus, known)
    except (InfraError, KeyError, ValueError) as error:
        print(f"{kernel.lab} {kernel.name}: {error}", file=sys.stderr)
        return {}


def begin(file: Path, gpu: Figures, again: bool) -> Known:
    """Writes the head of the file if there is none. Returns what is there already."""
    if again:
        file.unlink(missing_ok=True)
    if not file.is_file():
        head = f"# estimated for an {gpu.name} from the machine code of nvcc\n"
        file.write_text(f"{head}{','.join(COLUMNS)}\n", encoding="utf-8")
    return {(row["lab"], row["kernel"], row["kind"], row["problem"]) for row in tables.rows(file)}


def main() -> None:
    parser = tables.parser(__doc__)
    add_choices(parser)
    parser.add_argument("--again", action="store_true", help="also what has been estimated already")
    options = parser.parse_args()
    if missing.for_estimates() or not toolchain.load(PRESET, BUILD / PRESET).estimator.is_file():
        sys.exit("estimate.py: this machine lacks nvcc, nvdisasm or the estimator")
    gpus = figures.known()
    files = {gpu.name: path(gpu.name, f"{part(options)}_estimates") for gpu in gpus}
    known = {gpu.name: begin(files[gpu.name], gpu, options.again) for gpu in gpus}
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor() as pool:
        one = functools.partial(estimate_or_say, gpus=gpus, known=known)
        for made in pool.map(one, selected(options, Path(folder))):
            for gpu, lines in made.items():
                with files[gpu].open("a", encoding="utf-8") as out:
                    csv.writer(out, lineterminator="\n").writerows(lines)


if __name__ == "__main__":
    main()

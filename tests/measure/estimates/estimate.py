#!/usr/bin/env python3
"""Estimates the times of the kernels that measure.py times. Needs no GPU.

    python3 tests/measure/estimates/estimate.py [--labs diff matmul] [--again]
    python3 tests/measure/estimates/estimate.py --elsewhere CLONES [--labs llm.c] [--again]

Compiles each file with nvcc, and writes docs/results/estimates/GPU_estimates.csv as it goes; leaves
out what is there already unless --again is given. Takes an hour on one core. Needs nvcc, nvdisasm
and the emulator's preset: cmake --build --preset emulator --target estimator. With --elsewhere, it
estimates the programs that measure.py times with that option, and writes
GPU_elsewhere_estimates.csv.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from kernels import REPO, Kernel, Problem  # noqa: E402
from measure import add_choices, part, path, rows, selected, wanted  # noqa: E402
from tilelab.base.errors import CompileError, InfraError, UserError  # noqa: E402
from tilelab.base.files import work_folder  # noqa: E402
from tilelab.estimate import figures, prediction  # noqa: E402
from tilelab.estimate.figures import Figures  # noqa: E402
from tilelab.estimate.simulation import Simulated  # noqa: E402
from tilelab.pipeline.profiling import recording  # noqa: E402
from tilelab.pipeline.profiling.estimating import simulate  # noqa: E402

ESTIMATOR = REPO / "build" / "emulator" / "bin" / "estimator"
_BUSY = ("issue", "l1", "l2", "dram")
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


def estimate(kernel: Kernel, gpu: Figures, known: set[tuple[str, ...]]) -> list[list[str]]:
    """A row for each problem that is not known yet."""
    names = (kernel.lab, kernel.name, kernel.kind)
    problems = wanted(kernel, known)
    if not problems:
        return []
    calls = tuple(map(call_of, problems))
    made = []
    with work_folder() as work:
        try:
            text = kernel.source.read_text(encoding="utf-8")
            compiled = recording.compile_calls(text, kernel.as_lab(), calls, gpu, work)
        except CompileError:
            return []
        for i, problem in enumerate(problems):
            found: Sequence[Simulated] | str
            try:
                found = simulate(compiled, i, gpu, ESTIMATOR, work)
            except UserError as error:
                found = str(error)
            made.append([*names, str(problem), *columns(found, gpu)])
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpu", default="NVIDIA H200", help="the name of a GPU with figures")
    add_choices(parser)
    parser.add_argument("--again", action="store_true", help="also what has been estimated already")
    options = parser.parse_args()
    gpu = figures.of(options.gpu)
    if gpu is None or recording.missing() or not ESTIMATOR.is_file():
        sys.exit(f"estimate.py: no figures of {options.gpu}, or no nvcc, nvdisasm or estimator")
    file = path(gpu.name, f"{part(options)}_estimates")
    if options.again:
        file.unlink(missing_ok=True)
    known = {(row["lab"], row["kernel"], row["kind"], row["problem"]) for row in rows(file)}
    with tempfile.TemporaryDirectory() as folder, file.open("a", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        if not known:
            out.write(f"# estimated for an {gpu.name} from the machine code of nvcc\n")
            writer.writerow(COLUMNS)
        for kernel in selected(options, Path(folder)):
            try:
                writer.writerows(estimate(kernel, gpu, known))
            except (InfraError, KeyError, ValueError) as error:
                print(f"{kernel.lab} {kernel.name}: {error}", file=sys.stderr)
            out.flush()


if __name__ == "__main__":
    main()

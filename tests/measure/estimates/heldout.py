"""Estimates the irregular programs in heldout for a GPU.

    ./tilelab measure estimates/heldout [--gpu H200] [--programs NAME ...] [--again]

Needs no GPU: the times are in docs/results/estimates/nvidia_GPU_irregular.csv, which `irregular`
wrote. The programs were chosen and timed on an H100 before any of them was estimated. Runs each on
the emulator as `tilelab estimate` does, once with the data that it finds and once with made-up
data, and adds what comes of it to nvidia_GPU_irregular_estimates.csv, unless that has the program
already. Takes half an hour. `./tilelab measure estimates` shows both on its page. Needs nvcc and
nvdisasm.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence

import tables
from kernels import REPO, RESULTS
from tilelab.base.errors import CompileError, InfraError, UserError
from tilelab.base.files import work_folder, write_atomically
from tilelab.estimate import figures
from tilelab.estimate.figures import Figures
from tilelab.model.program_estimate import EstimatedLaunch
from tilelab.programs import compiling, estimating, running, tools
from tilelab.programs.compiling import Sources
from tilelab.programs.estimating import Limits
from tilelab.programs.tools import Tools

PROGRAMS = REPO / "tests" / "measure" / "estimates" / "heldout" / "programs"
COLUMNS = "program data milliseconds least most limiter abstained".split()

# What each program is estimated with.
DATA = {"recorded": Limits(seconds=300), "made up": Limits(seconds=300, most_bytes=0)}
# The program launches its kernel once: all launches find the same.
_ONCE = ["-DLAUNCHES=1"]
_STUCK_AFTER = 60.0


def estimates(program: str, gpu: Figures, prepared: Tools) -> Iterator[list[str]]:
    """A row for each kind of data."""
    for data, limits in DATA.items():
        found = _estimate(program, limits, gpu, prepared)
        if isinstance(found, str) or found.milliseconds is None:
            missing = found if isinstance(found, str) else found.missing
            yield [program, data, "", "", "", "", missing or ""]
        else:
            times = [f"{it:.6g}" for it in (found.milliseconds, found.least or 0, found.most or 0)]
            yield [program, data, *times, found.limiter, ""]


def _estimate(program: str, limits: Limits, gpu: Figures, prepared: Tools) -> EstimatedLaunch | str:
    """The launch of a program's kernel, or why there is none."""
    sources = Sources([PROGRAMS / f"{program}.cu"], _ONCE)
    with work_folder() as work:
        try:
            made = compiling.compile_program(sources, prepared, work, checked=False)
            plan = estimating.plan(gpu, limits, work)
            watch = running.Watch(_STUCK_AFTER, keeps_stdout=True, recording=plan.recording)
            running.run(made, [], watch, prepared, work)
            estimated = estimating.estimate(sources, made, plan, prepared)
        except (CompileError, InfraError, UserError) as error:
            return str(error)
    kernel = f"{program}_kernel"
    return next((one for one in estimated.launches if one.kernel == kernel), "it is not launched")


def written(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    return text.getvalue()


def main() -> None:
    parser = tables.parser(__doc__)
    parser.add_argument("--gpu", choices=("H100", "H200"), default="H100")
    parser.add_argument("--programs", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--again", action="store_true", help="those that are there already, too")
    options = parser.parse_args()
    gpu = figures.of(f"NVIDIA {options.gpu}")
    if gpu is None:
        sys.exit(f"there are no figures of an {options.gpu}")
    measured = RESULTS / f"nvidia_{options.gpu.lower()}_irregular.csv"
    estimated = measured.with_name(f"{measured.stem}_estimates.csv")
    prepared = tools.prepare(None, estimates=True)
    rows = {
        (row["program"], row["data"]): [row[name] for name in COLUMNS]
        for row in tables.rows(estimated)
    }
    for program in (row["program"] for row in tables.rows(measured)):
        if options.programs and program not in options.programs:
            continue
        if (program, "recorded") in rows and not options.again:
            continue
        for row in estimates(program, gpu, prepared):
            rows[row[0], row[1]] = row
            print(*row, flush=True)
        write_atomically(estimated, written([rows[key] for key in sorted(rows)]))


if __name__ == "__main__":
    main()

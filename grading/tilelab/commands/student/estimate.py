"""`tilelab estimate`: says how long a CUDA program of one's own would take on a GPU."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab.base.errors import CompileError, UserError
from tilelab.base.files import work_folder
from tilelab.commands import programs
from tilelab.commands.console import console, working
from tilelab.commands.programs import stderr
from tilelab.estimate import figures
from tilelab.pipeline.harness import missing
from tilelab.pipeline.profiling.resources import figures_for, gpu_of
from tilelab.programs import compiling, estimating, running, tools
from tilelab.programs.estimating import Limits
from tilelab.programs.running import Watch
from tilelab.screens.building import building
from tilelab.screens.program_estimate import show_estimates

_LIMITS = Limits(seconds=600)

Command = programs.Command


def estimate(
    context: typer.Context,
    files: programs.Files,
    gpu: Annotated[
        str | None,
        typer.Option(
            "--gpu",
            metavar="NAME",
            help="H100, H200 or one that `calibrate` measured. Default: this machine's, or H200.",
        ),
    ] = None,
    include: programs.Include = None,
    define: programs.Define = None,
    time_limit: programs.TimeLimit = programs.STUCK_AFTER,
) -> None:
    """Estimates how long your program would take on a GPU."""
    compiling.check(files)
    if lacking := missing.for_estimates():
        raise UserError(f"an estimate needs {lacking}")
    for_gpu = figures_for(gpu_of(gpu), gpu)
    if for_gpu is None:
        names = ", ".join(one.name for one in figures.known())
        raise UserError(f"--gpu {gpu}: times can be estimated for {names}")
    with building(stderr, "what estimates need") as tell:
        prepared = tools.prepare(None, tell, estimates=True)
    sources = programs.sources_of(files, include, define)
    with work_folder() as work:
        program, _ = programs.compiled(sources, prepared, work, checked=False)
        plan = estimating.plan(for_gpu, _LIMITS, work)
        watch = Watch(time_limit, keeps_stdout=True, recording=plan.recording)
        ended = running.run(program, programs.arguments_of(context), watch, prepared, work)
        try:
            with working("Estimating", stderr):
                estimated = estimating.estimate(sources, program, plan, prepared)
        except CompileError as error:
            raise UserError(f"nvcc does not compile it: {error}") from error
    show_estimates(console, estimated)
    raise typer.Exit(ended.status)

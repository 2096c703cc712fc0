"""`tilelab run`: runs a CUDA program of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab import backends
from tilelab.base.errors import CompileError, UserError
from tilelab.base.files import work_folder
from tilelab.commands import options, programs
from tilelab.commands.console import working
from tilelab.commands.programs import stderr
from tilelab.estimate import figures
from tilelab.model.program_estimate import EstimatedProgram
from tilelab.pipeline.harness import missing
from tilelab.programs import compiling, estimating, running, tools
from tilelab.programs.compiling import Sources
from tilelab.programs.estimating import Limits, Plan
from tilelab.programs.formats import FORMATS
from tilelab.programs.running import Watch
from tilelab.programs.tools import Tools
from tilelab.screens.building import building
from tilelab.screens.run import show_counts, show_findings

# Counts come first here. `tilelab estimate` waits longer.
_LIMITS = Limits(seconds=20, most_bytes=1 << 29)

Command = programs.Command


def run(
    context: typer.Context,
    files: programs.Files,
    checked: Annotated[
        bool, typer.Option("--checked", help="Look for data races, stray accesses and the like.")
    ] = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="Count what each launch does with memory.")
    ] = False,
    include: programs.Include = None,
    define: programs.Define = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"Print the findings as {' or '.join(FORMATS)}; the program prints to stderr.",
            autocompletion=lambda: list(FORMATS),
        ),
    ] = None,
    error_exitcode: Annotated[
        int,
        typer.Option(min=0, max=255, metavar="N", help="The exit status if there are mistakes."),
    ] = 1,
    time_limit: programs.TimeLimit = programs.STUCK_AFTER,
    backend: Annotated[
        str | None,
        typer.Option(
            help=f"One of {', '.join(backends.presets())}. Default: the CPU.",
            autocompletion=backends.presets,
        ),
    ] = None,
) -> None:
    """Runs a CUDA program of your own, on the CPU or on a GPU."""
    compiling.check(files)
    options.known_format(format_, FORMATS)
    gpu = figures.usual() if profile and not missing.for_estimates() else None
    with building(stderr, "what programs need") as tell:
        prepared = tools.prepare(backend, tell, estimates=gpu is not None)
    checked = checked or format_ is not None
    observed = checked or profile
    sources = programs.sources_of(files, include, define)
    with work_folder() as work:
        program, warnings = programs.compiled(sources, prepared, work, checked=observed)
        for line in warnings:
            stderr.print(line, markup=False)
        plan = estimating.plan(gpu, _LIMITS, work) if gpu else None
        watch = Watch(
            time_limit,
            observed,
            counts_alone=profile and not checked,
            keeps_stdout=format_ is not None,
            recording=plan.recording if plan else None,
        )
        ended = running.run(program, programs.arguments_of(context), watch, prepared, work)
        estimated = _estimates(sources, program, plan, prepared)
    if profile:
        show_counts(stderr, ended.report, estimated)
    if observed:
        counts_alone = watch.counts_alone
        show_findings(stderr, ended, warned=bool(warnings), counts_alone=counts_alone)
    if format_ is not None:
        print(FORMATS[format_](ended))
    raise typer.Exit(ended.status or (error_exitcode if ended.has_mistakes else 0))


def _estimates(
    sources: Sources, program: Path, plan: Plan | None, prepared: Tools
) -> EstimatedProgram | str:
    """What the launches would take, or why nobody knows."""
    if plan is None:
        return f"they need {missing.for_estimates()}"
    try:
        with working("Estimating", stderr):
            return estimating.estimate(sources, program, plan, prepared)
    except CompileError as error:
        return f"nvcc does not compile the program: {error}"
    except UserError as error:
        return str(error)

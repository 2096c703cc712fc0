"""`tilelab profile`: shows what a submission's kernels do with memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import CompileError, Rejected, UserError
from tilelab.base.text import one_line
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.pipeline.profiling.profile import profile_file, profiler_of, write
from tilelab.pipeline.profiling.resources import figures_for, gpu_of
from tilelab.screens.profile import show_profile


def profile(
    lab_name: options.LabOrFile,
    file: options.File = None,
    json: Annotated[Path | None, typer.Option(help="Also write everything to this file.")] = None,
    gpu: options.GpuName = None,
    sass: Annotated[
        bool, typer.Option("--sass", help="Also show the machine code of the innermost loops.")
    ] = False,
    seed: options.Seed = None,
) -> None:
    """Shows each launch's memory traffic by line, and its occupancy."""
    for_gpu = gpu_of(gpu)
    the_lab, path = options.lab_and_file(lab_name, file)
    session = options.session(None, seed, [the_lab], without_seccomp=True)
    try:
        result = profile_file(
            path, the_lab, session, for_gpu, figures=figures_for(for_gpu, gpu), machine_code=sass
        )
    except (Rejected, CompileError) as error:
        raise UserError(f"{one_line(str(path))}: {error}") from error
    show_profile(console, result, profiler_of(session))
    if json:
        write(json, result)
        console.print(f"Wrote {json}", markup=False)

"""`tilelab run`: runs a CUDA program of one's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperCommand

from tilelab import backends
from tilelab.base.errors import CompileError, UserError
from tilelab.base.files import work_folder
from tilelab.base.text import one_line
from tilelab.programs import compiling, running, tools
from tilelab.programs.compiling import Sources
from tilelab.programs.formats import FORMATS
from tilelab.programs.running import Watch
from tilelab.screens.building import building
from tilelab.screens.run import show_counts, show_findings

_STUCK_AFTER = 60.0
_NOT_SUPPORTED = "tilelab: nvcc accepts this program, but the emulator lacks something that it uses"
_ARGUMENTS = "tilelab.arguments"

# The program's own output alone goes to stdout.
_console = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


class Command(TyperCommand):
    """Keeps what comes after -- for the program."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = args[end + 1 :]
        return super().parse_args(ctx, args[:end])

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", "FILES...", "[-- ARGS...]"]


def run(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Sources: .cu, .cpp, .c")],
    checked: Annotated[
        bool, typer.Option("--checked", help="Look for data races, stray accesses and the like.")
    ] = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="Count what each launch does with memory.")
    ] = False,
    include: Annotated[
        list[Path] | None, typer.Option("-I", "--include", help="A folder with headers.")
    ] = None,
    define: Annotated[
        list[str] | None, typer.Option("-D", "--define", help="A macro: NAME or NAME=VALUE.")
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"Print what was found as {' or '.join(FORMATS)}; the program prints to stderr.",
            autocompletion=lambda: list(FORMATS),
        ),
    ] = None,
    error_exitcode: Annotated[
        int,
        typer.Option(min=0, max=255, metavar="N", help="The exit status if there are mistakes."),
    ] = 1,
    time_limit: Annotated[
        float,
        typer.Option(min=0, help="Seconds without progress until a kernel hangs; 0 for none."),
    ] = _STUCK_AFTER,
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
    if format_ is not None and format_ not in FORMATS:
        raise UserError(f"--format is {' or '.join(FORMATS)}, not '{one_line(format_)}'")
    with building(_console, "what programs need") as tell:
        prepared = tools.prepare(backend, tell)
    checked = checked or format_ is not None
    observed = checked or profile
    flags = [*(f"-I{folder}" for folder in include or []), *(f"-D{one}" for one in define or [])]
    watch = Watch(
        time_limit,
        observed,
        counts_alone=profile and not checked,
        keeps_stdout=format_ is not None,
    )
    sources = Sources(files, flags)
    with work_folder() as work:
        try:
            with _console.status("Compiling..."):
                program = compiling.compile_program(sources, prepared, work, checked=observed)
        except CompileError as error:
            print("\n".join(error.messages), file=sys.stderr)
            if not prepared.backend.is_referee and compiling.nvcc_accepts(sources):
                print(_NOT_SUPPORTED, file=sys.stderr)
            raise typer.Exit(2) from error
        arguments = context.meta[_ARGUMENTS]
        ended = running.run(program, arguments, watch, prepared, work)
    if profile:
        show_counts(_console, ended.report)
    if observed:
        show_findings(_console, ended)
    if format_ is not None:
        print(FORMATS[format_](ended))
    raise typer.Exit(ended.status or (error_exitcode if ended.has_mistakes else 0))

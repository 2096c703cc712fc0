"""What the commands for programs of one's own have in common."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperCommand

from tilelab.base.errors import CompileError
from tilelab.commands.console import working
from tilelab.programs import compiling
from tilelab.programs.compiling import Sources
from tilelab.programs.linking import NotLinked
from tilelab.programs.tools import Tools

_ARGUMENTS = "tilelab.arguments"
_NOT_SUPPORTED = "tilelab: nvcc accepts this program, but the emulator lacks something that it uses"

# The program's own output alone goes to stdout.
# A finding is one line, and several on a screen, which would cut its words.
stderr = Console(stderr=True, highlight=False, soft_wrap=not sys.stderr.isatty(), emoji=False)

Files = Annotated[list[Path], typer.Argument(metavar="FILES", help="Sources: .cu, .cpp, .c")]
Include = Annotated[
    list[Path] | None, typer.Option("-I", "--include", help="A folder with headers.")
]
Define = Annotated[
    list[str] | None, typer.Option("-D", "--define", help="A macro: NAME or NAME=VALUE.")
]
TimeLimit = Annotated[
    float, typer.Option(min=0, help="Stop after this many seconds without progress; 0: never.")
]
STUCK_AFTER = 60.0


class Command(TyperCommand):
    """Keeps what comes after -- for the program."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = args[end + 1 :]
        return super().parse_args(ctx, args[:end])

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", "FILES...", "[-- ARGS...]"]


def arguments_of(context: typer.Context) -> list[str]:
    """The program's arguments."""
    found: list[str] = context.meta[_ARGUMENTS]
    return found


def sources_of(
    files: Sequence[Path], include: list[Path] | None, define: list[str] | None
) -> Sources:
    flags = [*(f"-I{folder}" for folder in include or []), *(f"-D{one}" for one in define or [])]
    return Sources(files, flags)


def compiled(
    sources: Sources, tools: Tools, work: Path, *, checked: bool
) -> tuple[Path, Sequence[str]]:
    """The program, and warnings. Ends with what the compiler says if there is none."""
    warnings: list[str] = []
    try:
        with working("Compiling", stderr):
            program = compiling.compile_program(
                sources, tools, work, checked=checked, warn=warnings.append
            )
        return program, warnings
    except CompileError as error:
        lines = [*error.messages, *_who_is_to_blame(error, sources, tools, work)]
        print("\n".join(lines), file=sys.stderr)
        raise typer.Exit(2) from error


def _who_is_to_blame(
    error: CompileError, sources: Sources, tools: Tools, work: Path
) -> Iterator[str]:
    """A line, if it is known."""
    is_linked = not isinstance(error, NotLinked)
    if isinstance(error, NotLinked) and error.advice:
        yield f"tilelab: {error.advice}"
    elif tools.backend.is_referee:
        return
    elif compiling.nvcc_accepts(sources) and (is_linked or compiling.nvcc_joins(sources, work)):
        yield _NOT_SUPPORTED

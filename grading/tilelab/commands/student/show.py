"""`tilelab show`: draws what a submission's kernels do, access by access."""

from __future__ import annotations

import os
import shlex
import textwrap
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import CompileError, Rejected, UserError
from tilelab.base.files import write_atomically
from tilelab.base.repository import BUILD
from tilelab.base.text import one_line
from tilelab.commands import options
from tilelab.commands.console import console, working
from tilelab.picture import run, text
from tilelab.picture.page import page

_BLOCK = 4


def show(
    lab_name: options.LabName,
    file: options.File = None,
    n: Annotated[
        int | None, typer.Option("--n", min=1, help="Elements, bodies, or points per side.")
    ] = None,
    block: Annotated[int, typer.Option(min=1, max=1024, help="Threads per block.")] = _BLOCK,
    text_only: Annotated[
        bool, typer.Option("--text", help="Print input, tile, output and expected output.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="The page. Default: build/show/LAB.html.")
    ] = None,
    seed: options.Seed = None,
) -> None:
    """Draws a page with each access of each thread on a small input."""
    the_lab, path = options.lab_and_file(lab_name, file)
    session = options.session(None, seed, [the_lab], without_seccomp=True)
    try:
        with working("Running your kernel on a small input"):
            picture = run.draw(path, the_lab, session, n, block)
    except (Rejected, CompileError) as error:
        raise UserError(f"{one_line(str(path))}: {error}") from error
    if text_only:
        console.print("\n".join(text.lines(picture)), markup=False)
        return
    words = ["./tilelab", "show", the_lab.name, *([str(file)] if file else [])]
    words += [*(["--n", str(n)] if n else []), "--block", str(block), "--seed", str(session.seed)]
    target = out or BUILD / "show" / f"{the_lab.name}.html"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, page(picture, shlex.join(words)))
    except OSError as error:
        raise UserError(f"{one_line(str(target))}: {error.strerror}") from error
    if picture.own.note:
        console.print(textwrap.fill(picture.own.note, 80), markup=False)
    console.print(f"Wrote {one_line(str(target))}", markup=False)
    if _has_screen():
        webbrowser.open(target.resolve().as_uri())


def _has_screen() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))

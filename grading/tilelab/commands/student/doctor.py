"""`tilelab doctor`: lists what this machine has, and what you lose without the rest."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from tilelab import backends
from tilelab.base import system
from tilelab.base.repository import STATE
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.programs import tools
from tilelab.screens.building import building
from tilelab.setup import systems
from tilelab.setup.doctor import parts


def doctor(
    build: Annotated[
        bool, typer.Option("--build", help="Build everything now, so nobody waits for it later.")
    ] = False,
) -> None:
    """Lists what this machine has, and what you lose without the rest."""
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("", "Found", "Without it"):
        table.add_column(heading)
    for part in parts():
        found = f"[green]{escape(part.found)}[/]" if part.found else "[yellow]no[/]"
        table.add_row(part.what, found, "" if part.found else part.without)
    presets = " and ".join(one.preset for one in backends.default()) or "none"
    console.print(f"{system.os_name()}; backend: {presets}")
    console.print(table)
    console.print(f"Environment, build and progress: {STATE}", markup=False)
    if command := systems.command():
        console.print(f"Packages of this system: {command}", markup=False)
    if systems.is_wsl():
        console.print("WSL2: keep the repository in Linux's own file system, not below /mnt/c.")
    if build:
        _build()


def _build() -> None:
    labs = [lab.load(name) for name in lab.all_labs()]
    options.session(None, None, labs, without_seccomp=True, estimates=True)
    with building(console, "what programs need") as tell:
        tools.prepare(None, tell)

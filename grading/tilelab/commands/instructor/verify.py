"""`tilelab verify`: tests the labs themselves."""

from __future__ import annotations

import dataclasses
import os
from typing import Annotated

import typer

from tilelab.base.files import work_folder
from tilelab.commands import options
from tilelab.commands.console import bars, console
from tilelab.labs import lab
from tilelab.screens.results import show_machine
from tilelab.screens.verify import show_findings
from tilelab.verify import lab_files


def verify(
    lab_names: Annotated[
        list[str] | None, typer.Argument(metavar="[LAB]...", help="Which labs. Default: all.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Files at a time. Default: one per processor.")
    ] = None,
    backend: options.Backend = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Chooses the inputs.")] = 20,
) -> None:
    """For instructors: checks the verdicts on solutions and mistakes."""
    labs = [lab.load(name) for name in dict.fromkeys(lab_names or lab.all_labs())]
    session = options.session(backend, seed, labs, without_seccomp=True)
    session = dataclasses.replace(session, criteria_at_once=1).of_own_files()
    show_machine(console, session.machine())
    with work_folder() as shared, bars("Verifying") as progress:
        bar = progress.add_task("", total=sum(len(lab_files.checks(one)) for one in labs))
        found = lab_files.verify(
            labs,
            session.sharing(shared),
            jobs or os.cpu_count() or 1,
            lambda: progress.advance(bar),
        )
    show_findings(console, found)
    raise typer.Exit(1 if any(one.problems for one in found) else 0)

"""`tilelab check`: tests one submission and shows its score."""

from __future__ import annotations

import typer

from tilelab.base.text import one_line
from tilelab.commands import options
from tilelab.commands.console import MACHINE_ERROR, console
from tilelab.pipeline import submission
from tilelab.score import lab
from tilelab.screens.results import show_check, show_machine
from tilelab.tutor import advice


def check(
    lab_name: options.LabName,
    file: options.File = None,
    backend: options.Backend = None,
    seed: options.Seed = None,
) -> None:
    """Tests one submission and shows its score."""
    the_lab = lab.load(lab_name)
    path = options.existing(file or the_lab.skeleton)
    session = options.session(backend, seed, without_seccomp=True)
    show_machine(console, session.machine())
    result = submission.grade(path, the_lab, session)
    show_check(console, the_lab, one_line(str(path)), result, session.seed)
    if line := advice.note_check(result, the_lab, path):
        console.print(line, markup=False)
    if result.verdict == "infra_error":
        raise typer.Exit(MACHINE_ERROR)
    falls_short = any(criterion.falls_short for criterion in result.criteria)
    raise typer.Exit(0 if result.verdict == "graded" and not falls_short else 1)

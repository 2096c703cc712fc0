"""`tilelab similar`: finds files of a class that are alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import Rejected, UserError
from tilelab.base.files import write_atomically
from tilelab.base.text import one_line
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline import class_folder, intake
from tilelab.screens.similar import show_likeness
from tilelab.similar import page, pairs
from tilelab.similar.given import given


def similar(
    folder: Annotated[
        Path, typer.Argument(metavar="CLASS", help="A folder with <student>/<lab>.cu.")
    ],
    lab_name: Annotated[
        str | None, typer.Option("--lab", metavar="LAB", help="This lab. Default: all handed in.")
    ] = None,
    threshold: Annotated[
        int, typer.Option(min=1, max=100, help="The least share to report, in percent.")
    ] = 80,
    out: Annotated[
        Path | None, typer.Option(help="Write a page per pair, side by side, to this folder.")
    ] = None,
) -> None:
    """For instructors: reports files that are alike. It proves nothing."""
    students = class_folder.read_class(folder).students
    names = [lab_name] if lab_name else class_folder.handed_in(students)
    for name in names:
        _report(lab.load(name), students, threshold / 100, out)
    console.print(page.CAUTION, markup=False)


def _report(the_lab: Lab, students: list[Path], threshold: float, out: Path | None) -> None:
    sources = _sources(the_lab.name, students)
    found = pairs.compare(sources, given(the_lab), threshold)
    show_likeness(console, the_lab.name, found)
    if out is None or not found.pairs:
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}") from error
    for number, pair in enumerate(found.pairs, 1):
        path = out / f"{the_lab.name}-{number}.html"
        write_atomically(path, page.text(the_lab.name, pair, sources))
    console.print(f"Wrote {len(found.pairs)} pages: {out}/{the_lab.name}-*.html", markup=False)


def _sources(name: str, students: list[Path]) -> dict[str, str]:
    """The files, by student. Those that `grade` rejects are named and left out."""
    sources = {}
    for student in students:
        key = one_line(student.name)
        try:
            sources[key] = intake.read(student / f"{name}.cu").text
        except FileNotFoundError:
            continue
        except Rejected as error:
            console.print(f"left out {key}: {one_line(str(error))}", style="dim", markup=False)
    return sources

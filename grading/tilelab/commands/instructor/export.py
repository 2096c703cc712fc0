"""`tilelab export`: hands grades over to other systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.files import write_atomically
from tilelab.commands import options, sections
from tilelab.commands.console import console
from tilelab.commands.formats import Format, Request


def export(
    context: typer.Context,
    to_format: Annotated[Format, typer.Argument(metavar="FORMAT", help="What to write.")],
    out: Annotated[Path, typer.Option(help="The folder with the results.")] = Path("results"),
    lab_name: Annotated[
        str | None, typer.Option("--lab", metavar="LAB", help="This lab. Default: all graded.")
    ] = None,
    student: Annotated[str | None, typer.Option(help="This student. Default: all graded.")] = None,
    section: sections.SectionName = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file, not into --out.")
    ] = None,
    downloaded: Annotated[
        Path | None,
        typer.Option("--gradebook", metavar="FILE", help="The gradebook that you downloaded."),
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="TITLE", help="The column to fill. Default: the lab's.")
    ] = None,
    zero_if_missing: Annotated[
        bool, typer.Option("--zero-missing", help="Give 0 points where there is no file.")
    ] = False,
    image: Annotated[
        str, typer.Option(help="The container of the workflow on GitHub.")
    ] = "debian:13",
    course_file: options.CourseFile = None,
) -> None:
    """For instructors: sends grades to Canvas, Moodle and others."""
    to_format.assert_takes(_typed(context))
    request = Request(
        format=to_format,
        out=out,
        lab=lab_name,
        student=student,
        section=section,
        to=to,
        downloaded=downloaded,
        column=column,
        zero_if_missing=zero_if_missing,
        image=image,
        course=options.the_course(course_file),
    )
    made = to_format.make(request)
    for note in made.notes:
        console.print(note, markup=False)
    _write(made.path, made.content)


def _typed(context: typer.Context) -> list[str]:
    """The options on the command line."""
    sources = {one: context.get_parameter_source(one.name or "") for one in context.command.params}
    return [
        one.opts[0]
        for one, source in sources.items()
        if source and source.name == "COMMANDLINE" and one.opts[0].startswith("--")
    ]


def _write(path: Path, content: str | bytes) -> None:
    try:
        write_atomically(path, content)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        raise UserError(f"{path}: {error.strerror}") from error
    console.print(f"Wrote {path}", markup=False)

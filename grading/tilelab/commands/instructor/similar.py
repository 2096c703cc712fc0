"""`tilelab similar`: finds files of a class that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import Rejected, UserError
from tilelab.base.files import make_folder, write_atomically
from tilelab.base.text import counted, one_line
from tilelab.collect import enrolled
from tilelab.commands import options
from tilelab.commands.console import console, working
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline import class_folder, intake
from tilelab.pipeline.groups import Groups
from tilelab.record import store
from tilelab.record.store import Store
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
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER",
            help="The class or the results of an earlier year. Can be repeated.",
        ),
    ] = None,
    course_file: options.CourseFile = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a page per pair, side by side, to this folder.")
    ] = None,
) -> None:
    """For instructors: reports files that are alike. It proves nothing."""
    if out is not None:
        class_folder.assert_outside(out, folder)
    found = enrolled.of_course(class_folder.read_class(folder), options.the_course(course_file))
    students = found.students
    groups = Groups(found.collected.students)
    before = [_Earlier(one) for one in dict.fromkeys(earlier or [])]
    for one in before:
        if one.folder.resolve() == folder.resolve():
            raise UserError(f"--earlier {one.folder}: that is the class itself")
    names = [lab_name] if lab_name else class_folder.labs_in(folder, students)
    if not lab_name:
        options.name_what_is_broken([])
    for name in names:
        _report(lab.load(name), students, groups, before, threshold / 100, out)
    console.print(page.CAUTION, markup=False)


class _Earlier:
    """A class of an earlier year: its folder, or that of its record. Raises UserError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        is_record = (folder / store.NAME).is_file()
        self._record = Store.existing(folder) if is_record else None
        self._students = [] if is_record else class_folder.read_class(folder).students

    def sources(self, name: str) -> dict[str, str]:
        found = self._record.sources(name) if self._record else _sources(name, self._students)
        if not found:
            console.print(f"{self.folder} has no files for {name}.", style="dim", markup=False)
        return {f"{self.folder}/{student}": text for student, text in found.items()}


def _report(
    the_lab: Lab,
    students: Sequence[Path],
    groups: Groups,
    before: Sequence[_Earlier],
    threshold: float,
    out: Path | None,
) -> None:
    with working(f"Comparing {the_lab.name}"):
        sources = _sources(the_lab.name, students)
        earlier = {who: text for one in before for who, text in one.sources(the_lab.name).items()}
        teams = {who: groups.name_of(one_line(who)) for who in sources}
        found = pairs.compare(sources, given(the_lab), threshold, earlier, teams)
    show_likeness(console, the_lab.name, found)
    if out is not None:
        _remove_earlier(the_lab.name, out)
    if out is None:
        return
    if not found.pairs:
        console.print(
            f"Wrote no page to {out}: {the_lab.name} has no two files that are alike and differ.",
            markup=False,
        )
        return
    make_folder(out)
    for number, pair in enumerate(found.pairs, 1):
        path = out / f"{the_lab.name}-{number}.html"
        write_atomically(path, page.text(the_lab.name, pair, {**sources, **earlier}))
    console.print(
        f"Wrote {counted(len(found.pairs), 'page')}: {out}/{the_lab.name}-*.html", markup=False
    )


def _remove_earlier(name: str, out: Path) -> None:
    """Removes pages about this lab that an earlier comparison wrote."""
    for path in sorted(out.glob(f"{name}-*.html")):
        number = path.stem.removeprefix(f"{name}-")
        if number.isdigit() and path.is_file() and page.is_one(path.read_text("utf-8", "replace")):
            path.unlink()


def _sources(name: str, students: Sequence[Path]) -> dict[str, str]:
    """The files, by student. Those that `grade` rejects are named and left out."""
    sources = {}
    for student in students:
        try:
            sources[student.name] = intake.read(student / f"{name}.cu").text
        except FileNotFoundError:
            continue
        except (Rejected, OSError) as error:
            why = one_line(f"{student.name}: {error}")
            console.print(f"left out {why}", style="dim", markup=False)
    return sources

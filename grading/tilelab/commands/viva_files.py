"""What `viva` writes for instructors: sheets and quiz files, for one file or for a class."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

import typer

from tilelab.base.errors import CompileError, InfraError, Rejected, UserError
from tilelab.base.files import make_folder, write_atomically
from tilelab.base.text import one_line
from tilelab.commands import options
from tilelab.commands.console import MACHINE_ERROR, bars, console, working
from tilelab.exports.quiz import canvas, moodle
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.model.questions.viva import Viva
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import ClassFolder
from tilelab.pipeline.groups import Groups
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.shared_files import SharedFiles
from tilelab.record import jobs as all_jobs
from tilelab.report import names, viva_sheet
from tilelab.viva import asking

# Where the sheets of a class go by default.
_FOLDER = Path("viva")

# Makes the content of a file. It names the student, if one is known, and a sheet also the command
# that makes it again.
Make = Callable[[Viva, str, str], str | bytes]


@dataclass(frozen=True)
class _Format:
    suffix: str
    make: Make


_SHEET = _Format(".html", viva_sheet.page)
_FORMATS = {
    "moodle": _Format(".xml", lambda viva, student, _: moodle.content(viva, student)),
    "canvas": _Format(".zip", lambda viva, student, _: canvas.content(viva, student)),
}


def write(
    lab_name: str,
    file: Path | None,
    sheet: Path | None,
    format_name: str | None,
    out: Path | None,
    seed: int | None,
) -> None:
    """Writes what was asked for. Raises UserError or InfraError."""
    options.known_format(format_name, _FORMATS)
    chosen = _FORMATS[format_name] if format_name else _SHEET
    if file is not None and file.is_dir():
        if sheet:
            raise UserError("--sheet is for one file: a class gets a sheet per student in --out")
        _write_class(lab_name, file, chosen, out or _FOLDER, seed)
        return
    if out and not format_name:
        raise UserError("--out is for --format or for a class: name a sheet with --sheet")
    the_lab, path = options.lab_and_file(lab_name, file)
    session = options.session(None, _seed(seed), [the_lab], without_seccomp=True)
    with working("Working out questions"):
        made = _made(path, the_lab, session)
    command = _command(made, path)
    if sheet:
        _put(sheet, viva_sheet.page(made, path.name, command))
    if format_name:
        _put(
            out or Path(f"viva-{the_lab.name}{chosen.suffix}"),
            chosen.make(made, "", command),
        )


def _write_class(lab_name: str, folder: Path, chosen: _Format, out: Path, seed: int | None) -> None:
    """A file per student. What is wrong with one file is one line, and the others go on."""
    the_lab = lab.load(lab_name)
    class_folder.assert_outside(out, folder)
    found = class_folder.read_class(folder)
    handed_in = [one for one in found.students if os.path.lexists(one / f"{lab_name}.cu")]
    if not handed_in:
        raise UserError(f"{one_line(str(folder))} has no {lab_name}.cu of any student")
    session = options.session(None, _seed(seed), [the_lab])
    keys = [class_folder.student_of(one) for one in handed_in]
    people = {one.key: one.name for one in found.collected.students}
    named = {key: f"{people[key]} ({key})" if people.get(key) else key for key in keys}
    files = names.folder_names(keys)
    make_folder(out)
    failed: list[bool] = []  # whether each of those left out is the machine's fault
    with bars("Working out questions") as progress:
        bar = progress.add_task("", total=len(handed_in))
        for key, student in zip(keys, handed_in, strict=True):
            path = student / f"{lab_name}.cu"
            try:
                made = _made(path, the_lab, session)
                content = chosen.make(made, named[key], _command(made, path))
                write_atomically(out / f"{files[key]}{chosen.suffix}", content)
            except (UserError, InfraError) as error:
                console.print(f"left out {key}: {one_line(str(error))}", markup=False)
                failed.append(isinstance(error, InfraError))
            progress.advance(bar)
    count = len(handed_in) - len(failed)
    console.print(
        f"Wrote {count} of {len(handed_in)} files: {one_line(str(out))}/*{chosen.suffix}",
        markup=False,
    )
    _name_members(folder, found, the_lab, keys)
    if any(failed):
        raise typer.Exit(MACHINE_ERROR)


def _name_members(folder: Path, found: ClassFolder, the_lab: Lab, having: Collection[str]) -> None:
    """Says of which member of the group the file is, for those who have none of their own."""
    people = all_jobs.folders_of(folder, found)
    shared = SharedFiles(people, Groups(found.collected.students))
    for student in sorted(people.keys() - set(having)):
        whose, _ = shared.whose(student, the_lab)
        if whose != student:
            console.print(
                f"no file for {student}: the group's file is that of {whose}", markup=False
            )


def _made(path: Path, the_lab: Lab, session: Session) -> Viva:
    """The questions. Raises UserError or InfraError, whatever the file does to us."""
    try:
        return asking.ask(path, the_lab, session)
    except (Rejected, CompileError) as error:
        raise UserError(f"{one_line(str(path))}: {error}") from error
    except OSError as error:
        raise UserError(f"{one_line(str(path))}: {error.strerror}") from error
    except (RecursionError, ValueError, LookupError) as error:
        # No file of a class ends the work on the others, not even through a bug of ours.
        why = f"{type(error).__name__}: {error}"
        raise InfraError(f"{one_line(str(path))} cannot be worked on ({why})") from error


def _seed(seed: int | None) -> int:
    """By default another one each time, so that no student knows the questions before."""
    return options.new_seed() if seed is None else seed


def _command(made: Viva, path: Path) -> str:
    return shlex.join(
        ["./tilelab", "viva", made.lab, one_line(str(path)), "--seed", str(made.seed)]
    )


def _put(path: Path, content: str | bytes) -> None:
    try:
        write_atomically(path, content)
    except OSError as error:
        raise UserError(f"{one_line(str(path))}: {error.strerror}") from error
    console.print(f"Wrote {one_line(str(path))}", markup=False)

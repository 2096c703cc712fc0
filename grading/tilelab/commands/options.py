"""The arguments and options that several commands share, and what they turn into."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tilelab import backends
from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.commands.console import MACHINE_ERROR, console
from tilelab.estimate import gpus
from tilelab.labs import course, lab
from tilelab.model.course import Course
from tilelab.model.lab import Lab
from tilelab.pipeline.harness import building
from tilelab.pipeline.harness import session as sessions
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.screens import building as progress

Backend = Annotated[
    str | None,
    typer.Option(
        help=f"One of {', '.join(backends.presets())}. Default: all that can grade here.",
        autocompletion=backends.presets,
    ),
]


def _labs(incomplete: str) -> list[str]:
    return [name for name in lab.all_labs() if name.startswith(incomplete)]


LabName = Annotated[
    str,
    typer.Argument(metavar="LAB", help="The lab, for example diff.", autocompletion=_labs),
]

LabOrNone = Annotated[
    str | None,
    typer.Argument(
        metavar="LAB",
        help="The lab. Without it: what you got wrong some days ago.",
        autocompletion=_labs,
    ),
]

LabOrFile = Annotated[
    str,
    typer.Argument(
        metavar="LAB", help="The lab, for example diff, or a file for it.", autocompletion=_labs
    ),
]

File = Annotated[Path | None, typer.Argument(help="Your file. Default: labs/LAB/LAB.cu.")]

GpuName = Annotated[
    str | None,
    typer.Option(
        "--gpu",
        metavar="NAME",
        help=f"One of {', '.join(gpus.names())}. Default: this machine's, or H200.",
        autocompletion=gpus.names,
    ),
]

FindCause = Annotated[
    bool,
    typer.Option(
        "--cause/--no-cause",
        help="Look for the cause of a failure.",
        envvar="TILELAB_CAUSE",
        show_envvar=False,
    ),
]
Seed = Annotated[
    int | None, typer.Option(min=0, max=2**64 - 1, help="Use the inputs of an earlier run.")
]

CourseFile = Annotated[
    Path | None,
    typer.Option("--course", help="course.toml: labs, points, deadlines, late policy."),
]

LabNames = Annotated[
    str | None,
    typer.Option("--lab", "--labs", metavar="LAB,...", help="Default: the course's, or all."),
]

Yes = Annotated[bool, typer.Option("--yes", help="Write changed grades without asking.")]


def known_format(name: str | None, known: Collection[str]) -> None:
    """Raises UserError if --format names none of these."""
    if name is not None and name not in known:
        raise UserError(f"--format is {' or '.join(known)}, not '{one_line(name)}'")


def the_course(path: Path | None) -> Course:
    """The course that --course names, or one that changes nothing."""
    return course.load(path) if path else Course()


def lab_names(text: str | None) -> list[str]:
    """The names that --lab lists, each once."""
    return list(dict.fromkeys(name.strip() for name in text.split(","))) if text else []


def lab_and_file(name: str, file: Path | None) -> tuple[Lab, Path]:
    """The lab and the file that were asked for. The first argument may be the file itself."""
    if file is None and (name.endswith(".cu") or os.sep in name):
        file = existing(Path(name))
        name = _lab_of(file)
    the_lab = lab.load(name)
    if file is None and not os.access(the_lab.skeleton, os.W_OK):
        console.print(how_to_copy(the_lab), markup=False)
    return the_lab, existing(file or the_lab.skeleton)


def how_to_copy(the_lab: Lab) -> str:
    """What to do in somebody else's repository, where students cannot edit the skeleton."""
    name = the_lab.skeleton.name
    words = [shlex.quote(str(path)) for path in (the_lab.pristine, the_lab.repo / "tilelab")]
    return (
        f"You cannot edit labs/{the_lab.name}/{name}. Work on a copy: "
        f"cp {words[0]} {name} && {words[1]} check {name}"
    )


def _lab_of(file: Path) -> str:
    """The lab that a file is for: its own name says so, or a folder's that it is in."""
    known = lab.all_labs()
    names = [file.stem, *(folder.name for folder in file.resolve().parents)]
    found = next((name for name in names if name in known), None)
    if found is None:
        shown = one_line(str(file))
        raise UserError(f"{shown} does not say which lab it is for. Name the lab: LAB {shown}")
    return found


def existing(path: Path) -> Path:
    if not os.path.lexists(path):
        raise UserError(f"{one_line(str(path))}: there is no such file")
    return path


WithoutSeccomp = Annotated[
    bool,
    typer.Option(
        "--without-seccomp", help="Grade although this system cannot filter system calls."
    ),
]


# That a line about several labs shows.
_MOST_NAMES = 4


def session(
    preset: str | None,
    seed: int | None,
    labs: Sequence[Lab],
    *,
    without_seccomp: bool = False,
    estimates: bool = False,
) -> Session:
    """Builds the harness of these labs for one backend, or for all that can grade here.

    With `estimates`, also what estimates times that give no points.
    One submission gets all processors. Raises UserError where the system cannot filter system calls
    and that is not accepted. Ends the command if the tests of none of the labs compile.
    """
    names = [one.name for one in labs]
    for why in sessions.misfits(preset, names):
        print(f"tilelab: the installed tests are not used: {why}", file=sys.stderr)
    shown = ", ".join(names) if len(names) <= _MOST_NAMES else f"{len(names)} labs"
    with progress.building(console, f"the tests of {shown}") as tell:
        prepared = sessions.prepare(
            preset,
            names,
            without_seccomp=without_seccomp,
            estimates=estimates or any(one.is_estimated for one in labs),
            tell=tell,
        )
    name_what_is_broken(prepared)
    if names and all(any(name in tool.broken for tool in prepared) for name in names):
        raise typer.Exit(MACHINE_ERROR)
    return Session(
        prepared,
        new_seed() if seed is None else seed,
        criteria_at_once=os.cpu_count() or 1,
    )


def new_seed() -> int:
    return secrets.randbits(63)


def name_what_is_broken(prepared: Sequence[Toolchain]) -> None:
    """The other labs work, so each is a line, with what the compiler says of its tests."""
    lines = [f"{name} is left out: {why}" for name, why in lab.unreadable().items()]
    for tool in prepared:
        for name in sorted(tool.broken):
            lines.append(tool.says_broken(name))
            lines += [f"  {line}" for line in building.errors_of(tool.preset, name)]
    for line in lines:
        console.print(one_line(line), style="yellow", markup=False)

"""`tilelab publish`: writes the students' repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import InfraError, UserError
from tilelab.base.repository import REPO
from tilelab.base.text import one_line
from tilelab.commands import options
from tilelab.commands.console import bars, console, working
from tilelab.labs import lab
from tilelab.labs.course import assert_has, lab_of
from tilelab.model.course import Course
from tilelab.model.lab import Lab
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.publish import folder, reference, repository, wheels
from tilelab.publish.folder import Written
from tilelab.screens.building import building

_SLOW = "The first check of each student will build the tests, which takes minutes"


def publish(
    target: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or an earlier one.")],
    labs: options.LabNames = None,
    course_file: options.CourseFile = None,
) -> None:
    """For instructors: writes the labs for students, without solutions."""
    the_course = options.the_course(course_file)
    chosen = _chosen(labs, the_course)
    folder.assert_usable(target)
    if target.resolve().is_relative_to(REPO):
        raise UserError(f"{one_line(str(target))} is inside of this repository: name another place")
    names = [one.name for one in chosen]
    made = _measured(chosen, _prepared(chosen))
    try:
        with working("Building the wheel, with which students build nothing"):
            wheel = wheels.of_labs(names)
        problem = None
    except InfraError as error:
        wheel, problem = {}, str(error)
    files = repository.files(REPO, chosen, the_course, made, wheel)
    _say(target, chosen, folder.write(target, files))
    if wheel and (name := wheels.misfit(target, names)):
        problem = f"the wheel was built from another {name}"
    if problem:
        console.print(f"{_SLOW}: {problem}", markup=False)
    for line in reference.missing(chosen):
        console.print(line, markup=False)


def _chosen(names: str | None, the_course: Course) -> list[Lab]:
    """The labs to publish, with the points of the course, in the order of the course."""
    wanted = options.lab_names(names) or list(the_course.assignments) or lab.all_labs()
    assert_has(the_course, wanted)
    found = [lab_of(the_course, name) for name in wanted]
    return sorted(found, key=lambda one: one.order)


def _prepared(chosen: list[Lab]) -> Toolchain:
    """Builds the tests. Raises UserError if those of a lab do not compile."""
    with building(console, "the tests of the labs") as tell:
        tool = reference.prepare(chosen, tell)
    options.name_what_is_broken([tool])
    if tool.broken:
        raise UserError(f"fix the tests of {', '.join(sorted(tool.broken))}, or name other --labs")
    return tool


def _measured(chosen: list[Lab], tool: Toolchain) -> reference.Files:
    at_work: dict[str, str] = {}
    with bars("Measuring the reference solutions") as progress:
        bar = progress.add_task("", total=len(chosen))

        def tell(name: str, stage: str) -> None:
            if not stage:
                progress.advance(bar)
            at_work[name] = stage
            doing = [f"{one}: {what}" for one, what in list(at_work.items()) if what]
            progress.update(bar, description=", ".join(doing))

        return reference.of_labs(chosen, tool, tell)


def _say(target: Path, chosen: list[Lab], written: Written) -> None:
    shown = one_line(str(target))
    console.print(f"{shown} has {', '.join(one.name for one in chosen)}.", markup=False)
    counts = {"new": written.added, "updated": written.updated, "removed": written.removed}
    said = ", ".join(f"{len(names)} {what}" for what, names in counts.items() if names)
    console.print(f"Files: {said or 'nothing has changed'}.", markup=False)
    for name in written.kept:
        console.print(
            f"Kept {one_line(name)}, which was changed there: remove it to get ours.", markup=False
        )

"""Makes the files of the students' repository."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from tilelab.base import links
from tilelab.labs import lab_file
from tilelab.labs.lab import all_labs
from tilelab.model.course import Course
from tilelab.model.lab import Lab
from tilelab.publish import agents, readme, selection, tree, worth
from tilelab.publish.folder import Content


def files(
    repo: Path,
    labs: Sequence[Lab],
    course: Course,
    reference: Mapping[PurePosixPath, bytes],
    wheel: Mapping[PurePosixPath, Content] = MappingProxyType({}),
) -> dict[PurePosixPath, Content]:
    """What students get: these labs without their solutions, and what replaces these.

    `labs` have the points of the course. `reference` are the files that stand for the solutions,
    `wheel` is the file with which nobody builds the tests, if there is one.
    """
    names = [lab.name for lab in labs]
    others = [name for name in all_labs(repo) if name not in names]
    chosen = selection.for_students(repo, tree.files(repo), names, others)
    contents = {path: _content(repo, path) for path in chosen}
    for lab in labs:
        contents |= _of_lab(repo, lab)
    contents[PurePosixPath("README.md")] = Content(
        readme.text(labs, course, has_wheel=bool(wheel)).encode()
    )
    contents[PurePosixPath("AGENTS.md")] = Content(agents.TEXT.encode())
    contents |= {path: Content(data) for path, data in reference.items()}
    contents |= wheel
    return _without_dead_ends(contents)


def _content(repo: Path, path: PurePosixPath) -> Content:
    file = repo / path
    return Content(file.read_bytes(), os.access(file, os.X_OK))


def _of_lab(repo: Path, lab: Lab) -> dict[PurePosixPath, Content]:
    """The files of a lab that students do not get as they are here."""
    folder = PurePosixPath("labs", lab.name)
    settings = (repo / folder / "lab.toml").read_text(encoding="utf-8")
    own = {folder / "lab.toml": Content(lab_file.with_points(settings, lab).encode())}
    if lab.handout.is_file():
        text = worth.handout(lab.handout.read_text(encoding="utf-8"), lab)
        own[folder / lab.handout.name] = Content(text.encode())
    if lab.pristine.is_file():
        # The skeleton itself may hold somebody's work.
        own[folder / lab.skeleton.name] = Content(lab.pristine.read_bytes())
    return own


def _without_dead_ends(contents: Mapping[PurePosixPath, Content]) -> dict[PurePosixPath, Content]:
    there = {place for path in contents for place in (path, *path.parents)}
    cut = dict(contents)
    for path, content in contents.items():
        if path.suffix == ".md":
            text = links.without_dead_ends(content.data.decode("utf-8"), path, there)
            cut[path] = Content(text.encode())
    return cut

"""The wheel in the students' repository, with which they need not build the harness."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from tilelab.pipeline.harness import sources
from tilelab.publish.folder import Content
from tilelab.wheel import building

FOLDER = PurePosixPath("wheels")


def of_labs(labs: Sequence[str]) -> dict[PurePosixPath, Content]:
    """A wheel with the judges of these labs. Raises InfraError."""
    built = building.build(labs)
    return {FOLDER / built.name: Content(built.read_bytes())}


def misfit(published: Path, labs: Sequence[str]) -> str | None:
    """A file of a students' repository that its wheel was not built from. None if it fits."""
    wheel = next((published / FOLDER).glob("*.whl"))
    with zipfile.ZipFile(wheel) as content:
        name = next(one for one in content.namelist() if one.endswith(f"/{sources.LIST}"))
        return sources.differing(published, content.read(name).decode(), labs)

"""A repository for students that the tests of publish share."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from support import REPO
from tilelab.labs import lab
from tilelab.model.course import Course
from tilelab.pipeline.harness.session import Session
from tilelab.publish import folder, repository
from tilelab.publish.figures import figures

LABS = ("diff", "first_kernel")


@pytest.fixture(scope="session")
def published(emulator: Session, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two labs, with the figures of a few sizes, and without compiled kernels."""
    target = tmp_path_factory.mktemp("students") / "copy"
    labs = [lab.load(name) for name in LABS]
    made = {
        PurePosixPath(one.figures.relative_to(REPO)): figures(
            one, emulator.toolchains[0], sizes_per_draw=20
        ).encode()
        for one in labs
    }
    folder.write(target, repository.files(REPO, labs, Course(), made))
    return target

"""The site, built once for all tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tilelab.base import locks, pip
from tilelab.base.errors import InfraError
from tilelab.site import building


@pytest.fixture(scope="session")
def tools() -> None:
    """Skips tests where the site cannot be built."""
    if shutil.which("doxygen") is None:
        pytest.skip("doxygen is not installed")
    try:
        pip.environment("docs")
    except InfraError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def site(tools: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that was built without a warning."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # which the workers share
    with locks.exclusive(folder / "site.lock"):
        if not (folder / "site" / "html" / "index.html").is_file():
            building.build(folder / "site")
    return folder / "site" / "html"

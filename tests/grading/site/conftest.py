"""The site, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilelab.base.errors import InfraError
from tilelab.site import doxygen

TOOLS = doxygen.find_tools()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that was built without a warning."""
    if TOOLS is None:
        pytest.skip("doxygen, doxygen-awesome-css or libjs-lunr is not installed")
    try:
        return doxygen.build(TOOLS, tmp_path_factory.mktemp("docs")).parent
    except InfraError as error:
        pytest.fail(str(error))

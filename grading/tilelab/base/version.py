"""The version of TileLab: that of project() in CMakeLists.txt, also in a wheel made from it."""

from __future__ import annotations

import re
from importlib import metadata

from tilelab.base.repository import REPO


def version() -> str:
    """This copy's version. In a repository that is its own, whatever else may be installed."""
    source = REPO / "CMakeLists.txt"
    if not source.is_file():
        return metadata.version("tilelab")
    match = re.search(r"^project\(.* VERSION ([\d.]+)", source.read_text(encoding="utf-8"), re.M)
    assert match is not None, f"{source} names no version"
    return match[1]

"""A copy of the repository without its labs, which take long to build."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import typed
from support import REPO


def make(folder: Path) -> Path:
    """Copies what builds a lab, without builds."""
    for name in ("CMakeLists.txt", "CMakePresets.json"):
        shutil.copy(REPO / name, folder)
    caches = shutil.ignore_patterns("__pycache__", "sample_class", ".*_cache")
    for name in ("common", "grading"):
        shutil.copytree(REPO / name, folder / name, ignore=caches)
    (folder / "tests" / "labs").mkdir(parents=True)
    shutil.copy(REPO / "tests" / "labs" / "CMakeLists.txt", folder / "tests" / "labs")
    (folder / "tests" / "CMakeLists.txt").write_text("add_subdirectory(labs)\n")
    return folder


def remembering() -> dict[str, str]:
    """The environment in which a copy is built of what other copies compiled, if ccache is there.

    What the repository's own build compiles is cached elsewhere, by its user's configuration.
    """
    if shutil.which("ccache") is None or "CMAKE_CXX_COMPILER_LAUNCHER" in os.environ:
        return {}
    return {
        "CMAKE_CXX_COMPILER_LAUNCHER": str(REPO / ".ci" / "ccache"),
        "CCACHE_DIR": str(REPO / "build" / "ccache"),
        "CCACHE_MAXSIZE": "1G",
    }


def tilelab(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in such a copy."""
    return typed.run(*arguments, cwd=copy, env=typed.environment(copy, **remembering()))

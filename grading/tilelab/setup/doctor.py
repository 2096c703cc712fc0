"""What this machine has of all that a command can use."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.sandbox import jail


@dataclass(frozen=True)
class Finding:
    """`found` is a version or a name, None if the thing is absent."""

    what: str
    found: str | None
    cost: str


def findings() -> Iterator[Finding]:
    """Looks at everything that a command can make use of."""
    yield Finding("g++", system.version("g++"), "clang++ can compile the labs instead")
    yield Finding("clang++", system.version("clang++"), "the labs are tested with g++ alone")
    yield Finding("CMake", system.version("cmake"), "nothing can be built")
    yield Finding("Ninja", system.version("ninja"), "nothing can be built")
    yield Finding("Catch2", _catch2_version(), "the tests cannot be built")
    yield Finding("CUDA Toolkit", nvidia.nvcc_version(), "labs run on the emulator alone")
    gpu = nvidia.gpu()
    yield Finding(
        "NVIDIA GPU",
        f"{gpu.name}, driver {gpu.driver}" if gpu else None,
        "speed is not graded (NOT RUN)",
    )
    yield _sandbox()
    yield Finding(
        "Slurm",
        system.version("sbatch") or ("present" if shutil.which("sbatch") else None),
        "a class is graded on this machine, not on a cluster",
    )


def _sandbox() -> Finding:
    cost = "submissions are compiled and run with your rights"
    if jail.bubblewrap() is None and shutil.which("bwrap"):
        cost += " (bubblewrap is installed, but this system lets it make no namespaces)"
    return Finding("Sandbox", jail.name() if jail.bubblewrap() else None, cost)


def _catch2_version() -> str | None:
    """The version of the Catch2 headers that the default compiler finds."""
    source = (
        "#if __has_include(<catch2/catch_version_macros.hpp>)\n"
        "#include <catch2/catch_version_macros.hpp>\n"
        "#elif __has_include(<catch2/catch.hpp>)\n"
        "#include <catch2/catch.hpp>\n"
        "#endif\n"
        "catch2 CATCH_VERSION_MAJOR CATCH_VERSION_MINOR CATCH_VERSION_PATCH\n"
    )
    for compiler in ("g++", "clang++"):
        text = system.output(compiler, "-E", "-P", "-x", "c++", "-std=c++20", "-", source=source)
        if match := re.search(r"catch2 (\d+) (\d+) (\d+)\s*$", text):
            return ".".join(match.groups())
    return None

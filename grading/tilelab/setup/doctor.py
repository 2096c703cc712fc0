"""Lists everything that a command can use, and whether this machine has it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

from tilelab.backends import BACKENDS
from tilelab.backends.base import Part
from tilelab.base import system
from tilelab.sandbox import jail


def parts() -> Iterator[Part]:
    """Everything that a command can use, and whether this machine has it."""
    for backend in BACKENDS:
        yield from backend.parts()
    yield Part("CMake", system.version("cmake"), "nothing can be built")
    yield Part("Ninja", system.version("ninja"), "nothing can be built")
    yield Part("Catch2", _catch2_version(), "the tests cannot be built")
    yield _sandbox()


def _sandbox() -> Part:
    without = "submissions are compiled and run with your permissions"
    if jail.bubblewrap() is None and shutil.which("bwrap"):
        without += " (bubblewrap is installed, but this system does not let it create namespaces)"
    return Part("Sandbox", jail.name() if jail.bubblewrap() else None, without)


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

"""CUDA on the CPU: our own headers and runtime, compiled by g++ or whatever CMake finds."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from tilelab.backends.base import Backend, Part, SymbolRules
from tilelab.base import system
from tilelab.base.repository import REPO

_FOLDER = REPO / "common" / "emulator"


def _lines(name: str) -> Iterator[str]:
    """The lines of a list of symbols, without comments."""
    for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def _listed(build: str) -> Iterator[str]:
    """The patterns that runtime/abi_symbols.txt lists for a build, "fast" or "checked"."""
    section = ""
    for line in _lines("runtime/abi_symbols.txt"):
        if line.startswith("["):
            section = line.strip("[]")
        elif section == build:
            yield re.escape(line.removesuffix("*")) + (r"\w*" if line.endswith("*") else "")


def _redirected() -> dict[str, str]:
    """C library functions that write memory: a checked build calls the observer's instead."""
    pairs = (line.split() for line in _lines("observer/hooks/redirected_symbols"))
    return {new: old for old, new in pairs}


@functools.cache
def symbol_rules() -> SymbolRules:
    return SymbolRules(
        runtime=(r"cuda[A-Z]\w*", *_listed("fast")),
        checked=(*_listed("checked"), *map(re.escape, _redirected())),
        redirected=_redirected(),
    )


class Emulator(Backend):
    preset = "emulator"
    has_checked_build = True

    def symbols(self) -> SymbolRules:
        return symbol_rules()

    def missing_tool(self) -> str | None:
        return None if system.version("c++") else "a C++ compiler: install g++"

    def parts(self) -> Iterator[Part]:
        yield Part("g++", system.version("g++"), "clang++ can compile the labs instead")

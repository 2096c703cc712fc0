"""CUDA on the CPU: our own headers and runtime, compiled by g++ or what CMake finds."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from tilelab.backends.base import Backend, Part, SymbolRules
from tilelab.base import system
from tilelab.base.repository import REPO

_FOLDER = REPO / "common" / "emulator"


def _lines(name: str) -> Iterator[str]:
    """The lines of a list of symbols, without its comments."""
    for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def _runtime() -> Iterator[str]:
    for name in _lines("runtime/abi_symbols.txt"):
        yield re.escape(name.removesuffix("*")) + (r"\w*" if name.endswith("*") else "")


def _redirected() -> Iterator[str]:
    """The C library's writers: in a checked build, `compile.sh` sends them to the observer."""
    for line in _lines("observer/hooks/redirected_symbols"):
        yield re.escape(line.split()[1])


@functools.cache
def symbol_rules() -> SymbolRules:
    return SymbolRules(
        runtime=(r"cuda[A-Z]\w*", *_runtime()),
        # What compilers and the emulator's headers make of every access.
        checked=(
            r"__tsan_(init|func_entry|func_exit|vptr_(read|update)|(read|write)_range)",
            r"__tsan_(unaligned_)?(volatile_)?(read|write)(1|2|4|8|16)",
            r"__tsan_(memcpy|memmove|memset)|__tsan_atomic\w+",
            r"__sanitizer_cov_trace_pc|tilelab_observe_(atomic|fence)",
            *_redirected(),
        ),
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

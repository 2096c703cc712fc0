"""The compilers that may read a submission, as the macros that they define."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.pipeline.records.stages import Tokens
from tilelab.pipeline.texts import names
from tilelab.sandbox import jail

FOLDER = Path(__file__).with_name("compilers")  # what makes g++ act like another compiler

_ARCHITECTURES = (750, 800, 860, 870, 880, 890, 900, 1000, 1010, 1030, 1100, 1200, 1210)

# Runs the preprocessor $1 with the options of each further argument, and writes NAME.out and
# NAME.log. A file that it could not finish is removed.
_SCRIPT = """
cxx=$1; shift; ulimit -f 16384
while [ $# -gt 0 ]; do
  name=$1 options=$2; shift 2
  "$cxx" -std=c++20 -w -E -D__CUDACC__ $options -o $name.out 2>$name.log || rm -f $name.out
done
"""


@dataclass(frozen=True)
class Reader:
    """A run of the preprocessor. `options` are g++'s, to act like the compiler that is `shown`."""

    name: str
    shown: str
    options: str

    def reads(self, what: str) -> Reader:
        return Reader(self.name, self.shown, f"{self.options} {what}")


def _reader(name: str, shown: str, *macros: str, extra: str = "") -> Reader:
    return Reader(name, shown, " ".join((extra, *(f"-imacros {header}.h" for header in macros))))


def readers(tokens: Tokens) -> Iterator[Reader]:
    """The compilers, the emulator's first. base.h has the macros of its cuda_runtime.h.

    The others are left out if nothing in the directives can tell them apart.
    """
    yield _reader("ours", "the emulator's compiler", "base")
    asked = {token.text for d in tokens.directives for token in d.rest}
    if not ({"#", "%:"} & asked or any(_depends_on_compiler(name) for name in asked)):
        return
    yield _reader("gcc", "g++", "base", "gcc")
    yield _reader("clang", "clang", "base", "clang")
    yield _reader("sanitizer", "a checked build", "base", "sanitizer")
    yield _reader("nvcc", "nvcc's pass for the host", "base", "nvcc")
    # One pass for the device is enough, unless the text may ask for the architecture.
    asks = any("ARCH" in token.text for d in tokens.directives for token in d.rest)
    pastes = any(token.kind == "hash" for d in tokens.directives for token in d.rest)
    for number in _ARCHITECTURES if asks or pastes else (900,):
        shown = f"nvcc's pass for the device (sm_{number // 10})"
        define = f"-D__CUDA_ARCH__={number}"
        yield _reader(f"sm_{number}", shown, "base", "nvcc", "nvcc_device", extra=define)
    yield _reader("bare", "a compiler that does not say its name", "base", "bare", extra="-undef")


def _depends_on_compiler(name: str) -> bool:
    is_reserved = name.startswith("_") and names.explain(name, frozenset()) is not None
    return is_reserved or names.is_compiler_macro(name) or name in _listed()


@functools.cache
def _listed() -> frozenset[str]:
    """The macros that only some of the compilers define."""
    return frozenset().union(*(_names_in(path) for path in FOLDER.glob("*.h"))) - absent_macros()


@functools.cache
def absent_macros() -> frozenset[str]:
    """CUDA's macros whose text differs between the headers of nvcc and the emulator."""
    return _names_in(FOLDER / "absent.h")


def _names_in(path: Path) -> frozenset[str]:
    text = path.read_text(encoding="utf-8")
    return frozenset(re.findall(r"^#(?:define|undef) (\w+)", text, re.MULTILINE))


def nobody() -> Reader:
    """No compiler's and no header's macros: they remain in the text as they are written."""
    return _reader("nobody", "", "bare", extra="-undef")


def absent() -> Reader:
    """The same without the macros of CUDA: they vanish."""
    return _reader("absent", "", "bare", "absent", extra="-undef")


def run(jobs: Sequence[Reader], cxx: str, readable: Sequence[Path], work: Path) -> None:
    """Writes NAME.out for each job, or only NAME.log if it failed or took too long."""
    arguments = [word for job in jobs for word in (job.name, job.options)]
    jail.run_compiler(["/bin/sh", "-c", _SCRIPT, "sh", cxx, *arguments], work, readable)

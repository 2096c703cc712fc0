"""Says why the files of a program do not make one: what the linker misses in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import CompileError

_MISSING = re.compile(r"undefined reference to [`'](.*)'$")
# CUDA's functions have C's names, without parameters.
_OF_CUDA = re.compile(
    r"(?:__|cuda[A-Z]|cu[A-Z]|cu(?:blas|dnn|fft|pti|rand|solver|sparse)|npp|nccl|nvml|nvrtc"
    r"|nvtx|nvjpeg)\w*$|(?:tilelab|cuda|cub|thrust|cooperative_groups|nvcuda)::"
)
_SHOWN = 3
_LONGEST = 60  # more parameters are left out
_SECONDS = 60


class NotLinked(CompileError):
    """The files compile, but make no program.

    `advice` is a sentence about what is missing in them, "" if something else is wrong.
    """

    def __init__(self, error: CompileError, objects: Mapping[Path, str]) -> None:
        super().__init__(error.messages, located=error.located)
        self.advice = _advice(error.messages, objects)


def _advice(messages: Sequence[str], objects: Mapping[Path, str]) -> str:
    found = (_MISSING.search(line) for line in messages)
    names = dict.fromkeys(match[1] for match in found if match is not None)
    missing = [name for name in names if not _OF_CUDA.match(name)]
    if not missing:
        return ""
    if "main" in missing:
        return "none of these files has a main()"
    known = {shown: list(_defined(path)) for path, shown in objects.items()}
    for name in missing:
        for file, others in known.items():
            for other in others:
                if _plain(other) == _plain(name):
                    return _why_not(name, other, file)
    return f"{_in_a_row(missing)} in none of these files: give all files of the program"


def _in_a_row(names: Sequence[str]) -> str:
    """With the verb: "f() is", "f() and g() are"."""
    shown = [name if len(name) <= _LONGEST else f"{_plain(name)}(...)" for name in names]
    if len(names) == 1:
        return f"{shown[0]} is"
    if len(names) > _SHOWN:
        shown = [*shown[:_SHOWN], f"{len(names) - _SHOWN} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]} are"


def _why_not(missing: str, other: str, file: str) -> str:
    """Why a function of the same name in a file is not the one that is missing."""
    if not _is_cpp(other):
        return f'{file} defines {other}() in C: declare it extern "C" where C++ calls it'
    if not _is_cpp(missing):
        return f'{file} defines {other} in C++: make it extern "C", as it is called'
    return f"{missing} is in none of these files, but {file} has {other}"


def _defined(path: Path) -> Iterator[str]:
    """What other files can use of an object."""
    argv: list[str | Path] = ["nm", "--demangle", "--defined-only", "--extern-only", path]
    for line in process.run(argv, seconds=_SECONDS, keep=1 << 22).output.splitlines():
        yield line.split(maxsplit=2)[-1]


def _plain(name: str) -> str:
    return name.partition("(")[0]


def _is_cpp(name: str) -> bool:
    return "(" in name

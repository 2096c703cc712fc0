"""Names of functions as C++ writes them.

The names come from a submission. One of 200 characters can stand for a gigabyte, so the program
that reads them runs in the compiler's jail, with little memory and time.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tilelab.base.text import shorten
from tilelab.sandbox import jail

_MEMORY = 256 * jail.MIB
_CPU_SECONDS = 2
_LONGEST = 1000  # characters of a name that is worth reading
_SHOWN = 200
_AT_ONCE = 20


def demangle(names: Iterable[str], work: Path) -> list[str]:
    """The names, in the same order, as C++ writes them where that is possible.

    `work` is a folder of the submission.
    """
    mangled = list(names)
    readable: list[str] = []
    for begin in range(0, len(mangled), _AT_ONCE):
        readable += _demangle(mangled[begin : begin + _AT_ONCE], work)
    return [shorten(name, _SHOWN) for name in readable]


def _demangle(mangled: list[str], work: Path) -> list[str]:
    known = [name if _is_plain(name) else "" for name in mangled]
    finished = jail.run_compiler(
        ["c++filt", "--", *known], work, [], memory=_MEMORY, cpu_seconds=_CPU_SECONDS
    )
    lines = finished.output.split("\n")
    if finished.status != 0 or len(lines) != len(mangled) + 1:
        return mangled
    return [
        line if name else whole for whole, name, line in zip(mangled, known, lines, strict=False)
    ]


def _is_plain(name: str) -> bool:
    return len(name) <= _LONGEST and name.isascii() and name.isprintable()

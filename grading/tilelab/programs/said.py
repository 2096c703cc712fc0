"""What compilers and linkers say of a program, without paths that only we know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

# Headers of the emulator, from a repository or installed.
_OURS = re.compile(r"\S*/emulator/include/\S*?:")
_INCLUDED = re.compile(r"^(In file included from|\s+from) ")
# What we give to a compiler without a file.
_UNNAMED = re.compile(r"<(command-line|stdin)>")
_OUR_FUNCTION = re.compile(r": in function `.*tilelab::emulator::")
_ERROR = re.compile(r"(?:(?:fatal )?error: |undefined reference to ).*")


def as_given(lines: Iterable[str], paths: Mapping[str, str]) -> Sequence[str]:
    """The lines, with the user's names for files.

    Which paths stand for which, `paths` says. Remarks about our headers are left out, and so is
    how the compiler came to them.
    """
    kept = (_shown(line, paths) for line in lines)
    return [line for line in kept if line is not None]


def _shown(line: str, paths: Mapping[str, str]) -> str | None:
    if _OURS.search(line) is not None or (_INCLUDED.match(line) and _UNNAMED.search(line)):
        error = _ERROR.search(line)
        return error[0] if error is not None else None
    if _OUR_FUNCTION.search(line) is not None:
        return None
    for path in sorted(paths, key=len, reverse=True):
        line = line.replace(path, paths[path])
    return line

"""Names of students as names of folders, on every system that a class may be copied to."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from tilelab.base.text import one_line

_LONGEST = 100  # bytes, which leaves room for what is added
# What no folder of Windows may contain, and the backslashes of what one_line() escapes.
_FORBIDDEN = re.compile(r'[/\\:*?"<>|]+')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|collected\.json", re.IGNORECASE)


def folder_name(text: str) -> str:
    """A safe folder name. A text that must be changed gets a mark, so that no two become one."""
    plain = unicodedata.normalize("NFC", text)
    safe = _FORBIDDEN.sub("_", one_line(plain)).strip(" .").lstrip("-")
    safe = safe.encode()[:_LONGEST].decode(errors="ignore").rstrip(" .")
    if safe and safe == plain and not _RESERVED.fullmatch(safe):
        return safe
    return _marked(safe or "student", plain)


class Folders:
    """Gives folders to students who are not in the roster.

    `reserved` are the folders of those who are, and `taken` all that exist. Folders differ in more
    than case, which some systems do not tell apart.
    """

    def __init__(self, reserved: Iterable[str] = (), taken: Iterable[str] = ()) -> None:
        self._reserved = {name.casefold() for name in reserved}
        self._taken = {name.casefold(): name for name in sorted(taken, reverse=True)}

    def named(self, text: str) -> str:
        """The folder of a student. The same text always gets the same one."""
        name = folder_name(text)
        if "=" in name:  # which ends what --take is about
            name = _marked(name.replace("=", "_"), name)
        folded = name.casefold()
        if folded not in self._reserved and self._taken.setdefault(folded, name) == name:
            return name
        return _marked(name, name)


def _marked(name: str, text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{name}-{digest[:8]}"

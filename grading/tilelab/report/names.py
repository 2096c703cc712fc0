"""Names of files for students, whatever their keys are: safe on every system, one for each."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_PLAIN = re.compile(r"\w[\w.@+-]{0,79}(?<!\.)")
_WINDOWS = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_DIGITS = 12
_MARKED = re.compile(rf".*-[0-9a-f]{{{_DIGITS}}}", re.IGNORECASE)


def folder_names(keys: Iterable[str]) -> dict[str, str]:
    """A folder name for each student.

    It is the key itself if that is a plain name, which nobody else has, not even in other case.
    Otherwise it is what is left of the key, with a mark that no other key has.
    """
    known = list(keys)
    same = Counter(key.casefold() for key in known)
    return {
        key: key if _is_plain(key) and same[key.casefold()] == 1 else _marked(key) for key in known
    }


def _is_plain(key: str) -> bool:
    # Windows reserves some names, and macOS changes those that are not normal.
    return (
        _PLAIN.fullmatch(key) is not None
        and not _WINDOWS.fullmatch(key)
        and not _MARKED.fullmatch(key)
        and unicodedata.is_normalized("NFKC", key)
    )


def _marked(key: str) -> str:
    left = re.sub(r"[^A-Za-z0-9_]+", "-", key).strip("-")[:40] or "student"
    mark = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{left}-{mark}"

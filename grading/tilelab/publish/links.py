"""Links in Markdown: which files a page refers to, and a page without links that lead nowhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

# [text](address) and ![text](address), also over the end of a line.
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<address>[^()\s]+)\)")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|#")


def targets(text: str, page: PurePosixPath) -> Iterator[PurePosixPath]:
    """The files and folders of the repository that a page links to or shows."""
    for match in _LINK.finditer(text):
        if not _ELSEWHERE.match(match["address"]):
            yield _target(match["address"], page)


def without_dead_ends(text: str, page: PurePosixPath, there: set[PurePosixPath]) -> str:
    """The page without images that are not `there`, and with plain words for links to nowhere."""

    def keep(match: re.Match[str]) -> str:
        if _ELSEWHERE.match(match["address"]) or _target(match["address"], page) in there:
            return match[0]
        return "" if match["image"] else match["text"]

    return _LINK.sub(keep, text)


def _target(address: str, page: PurePosixPath) -> PurePosixPath:
    file = address.partition("#")[0]
    return PurePosixPath(os.path.normpath(page.parent / file))

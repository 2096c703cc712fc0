"""Links in Markdown: which files a page refers to, and the page with other links."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
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
    return redirected(text, page, lambda target, address: address if target in there else None)


def redirected(
    text: str, page: PurePosixPath, lead: Callable[[PurePosixPath, str], str | None]
) -> str:
    """The page, with each link into the repository as `lead` wants it.

    `lead` gets the file that is linked to, and the address as the page has it. If it gives None,
    an image disappears, and of another link the words stay.
    """

    def replaced(match: re.Match[str]) -> str:
        if _ELSEWHERE.match(match["address"]):
            return match[0]
        address = lead(_target(match["address"], page), match["address"])
        if address is None:
            return "" if match["image"] else match["text"]
        return f"{match['image']}[{match['text']}]({address})"

    return _LINK.sub(replaced, text)


def _target(address: str, page: PurePosixPath) -> PurePosixPath:
    file = address.partition("#")[0]
    return PurePosixPath(os.path.normpath(page.parent / file))

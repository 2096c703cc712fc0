"""Which of the lab's own files a text is. Everybody can read these, so they are nobody's work."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from tilelab.base.text import checksum
from tilelab.model.lab import Lab
from tilelab.pipeline.texts import tokens


def public_file(text: str, lab: Lab) -> str:
    """The lab's own file that is the same but for comments and white space, "" if none is.

    A path in the repository, or "the skeleton".
    """
    return _own(lab.name, lab.repo).get(_key(text), "") if text else ""


@functools.cache
def _own(name: str, repo: Path) -> dict[str, str]:
    """The lab's files by checksum. What is both a baseline and a ladder step is the baseline."""
    lab = Lab(name=name, title=name, criteria=(), repo=repo)
    found: dict[str, str] = {}
    for path in _files(lab):
        shown = "the skeleton" if path == lab.pristine else path.relative_to(repo).as_posix()
        found.setdefault(_key(path.read_text(encoding="utf-8", errors="replace")), shown)
    return found


def _files(lab: Lab) -> Iterator[Path]:
    """The surest first. Files with mistakes are answers of students'."""
    yield from (path for path in (lab.pristine, lab.baseline, *lab.given) if path.is_file())
    yield from sorted(
        path for path in lab.solutions.rglob("*.cu") if path.parent.name != "mistakes"
    )


def _key(text: str) -> str:
    """The same for all texts that differ in nothing but comments and white space."""
    found = tokens.parse(text)
    lines = [found.code, *([*filter(None, [one.name]), *one.rest] for one in found.directives)]
    return checksum("\n".join(" ".join(token.text for token in line) for line in lines))

"""What Canvas downloads by "Download Submissions": files side by side, whose names say whose.

`stoneamber_LATE_4711_90210_diff-1.cu` is the sortable name without spaces and commas, in lower
case; LATE if it was; the number of the user, that of the uploaded file, and the file's own name, to
which Canvas adds -1 when a student uploads it again. What was typed in has no number of a file, and
a student of an anonymous assignment is `anon_x7Kf2`. It holds the last attempt, and no times.

The format is that of `add_submission` in lib/content_zipper.rb of
https://github.com/instructure/canvas-lms.
"""

from __future__ import annotations

import re

from tilelab.collect.attempts import Attempt, Identity, Kind, Source
from tilelab.collect.members import Member

_OWN = r"(?:(?P<file>\d+)_(?P<own>.+)|(?P<typed>(?:text|link)\.html))"
_NAMED = re.compile(rf"(?P<name>[^\W_]\w*?)_(?P<late>LATE_)?(?P<user>\d+)_{_OWN}")
_ANONYMOUS = re.compile(rf"(?P<late>LATE_)?anon_(?P<user>[^\W_]+)_{_OWN}")


def recognizes(members: list[Member]) -> bool:
    """Whether most names at the top are those of Canvas."""
    tops = {member.path[0] for member in members}
    return sum(_match(top) is not None for top in tops) * 2 > len(tops)


def read(members: list[Member]) -> Source:
    source = Source("Canvas")
    found: dict[str, tuple[Identity, bool, list[tuple[int, Member]]]] = {}
    for member in members:
        if not (match := _match(member.path[0])):
            source.loose.append(member)
            continue
        identity = _identity(match)
        _, _, numbered = found.setdefault(identity.own, (identity, bool(match["late"]), []))
        path = (match["own"] or match["typed"], *member.path[1:])
        numbered.append((int(match["file"] or 0), member.at(path)))
    for identity, late, numbered in found.values():
        ordered = sorted(numbered, key=lambda one: one[0])
        files = tuple(member for _, member in ordered)
        source.attempts.append(Attempt((identity,), files, marked_late=late))
    return source


def _match(name: str) -> re.Match[str] | None:
    return _ANONYMOUS.fullmatch(name) or _NAMED.fullmatch(name)


def _identity(match: re.Match[str]) -> Identity:
    user = match["user"]
    if "name" not in match.groupdict():
        return Identity(f"anon_{user}", ())
    known: tuple[tuple[Kind, str], ...] = (("canvas", user), ("name", match["name"]))
    return Identity(f"{match['name']}_{user}", known)

"""What Blackboard Learn downloads by "Assignment File Download": all attempts, side by side.

`Lab 1_amber_attempt_2027-03-01-10-15-30_diff.cu` is the title of the assignment, the user name, the
time by the clock of the institution, and the file's own name. Beside each attempt lies the same
name without the last part as .txt. Its first line is `Name: Amber Stone (amber)`.

Blackboard does not document these names. They are those that programs for such downloads read, such
as https://github.com/vangef/BBGradebookOrganiser.
"""

from __future__ import annotations

import datetime
import re

from tilelab.collect.attempts import Attempt, Identity, Source
from tilelab.collect.members import Member
from tilelab.labs.moments import is_near

_ATTEMPT = re.compile(
    r"(?P<whose>.*_[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<own>.+)|\.txt)"
)
_NAME = re.compile(r"Name: (?P<name>.+) \((?P<user>[^()]+)\)")


def recognizes(members: list[Member]) -> bool:
    return any(_ATTEMPT.fullmatch(member.path[0]) for member in members)


def read(members: list[Member], zone: datetime.tzinfo | None) -> Source:
    """Times are None without a zone, because nothing in the download says whose clock it was."""
    source = Source("Blackboard")
    found: dict[tuple[str, str], list[Member]] = {}
    described: dict[str, re.Match[str]] = {}
    for member in members:
        if not (match := _ATTEMPT.fullmatch(member.path[0])):
            source.loose.append(member)
            continue
        files = found.setdefault((match["whose"], match["time"]), [])
        if match["own"]:
            files.append(member.at((match["own"], *member.path[1:])))
        elif name := _NAME.match(member.data().decode("utf-8-sig", "replace")):
            described[match["whose"]] = name
    for (whose, time), files in sorted(found.items()):
        identity = _identity(whose, described.get(whose))
        source.attempts.append(Attempt((identity,), tuple(files), _time(time, zone)))
    if zone is None:
        source.remarks.append(
            "Blackboard's times have no time zone, so none is noted: set time_zone in course.toml"
        )
    return source


def _identity(whose: str, described: re.Match[str] | None) -> Identity:
    """The student: titles and user names may have a `_`, so the text next to the file is surer."""
    user = whose.rpartition("_")[2]
    if not described:
        return Identity(user, (("login", user), ("id", user)))
    if whose.endswith(f"_{described['user']}"):
        user = described["user"]
    return Identity(user, (("login", user), ("id", user), ("name", described["name"])))


def _time(text: str, zone: datetime.tzinfo | None) -> datetime.datetime | None:
    if zone is None:
        return None
    try:
        local = datetime.datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None
    return local.replace(tzinfo=zone).astimezone(datetime.UTC) if is_near(local) else None

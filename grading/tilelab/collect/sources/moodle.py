"""What Moodle downloads by "Download all submissions": a folder for each participant.

`Amber Stone_10023_assignsubmission_file_/diff.cu` is the full name, the number of the participant
in this assignment, and the plugin; Moodle 4 leaves out the last `_`. Without "Download submissions
in folders" it is a prefix of the file instead. Where grading is anonymous, the name is Participant.
It holds the last attempt, and no times: those are in the grading worksheet, see roster.py.

The format is that of mod/assign/classes/downloader.php in https://github.com/moodle/moodle.
"""

from __future__ import annotations

import re

from tilelab.collect.attempts import Attempt, Identity, Kind, Source, grouped
from tilelab.collect.members import Member

_WHOSE = r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+"
_FOLDER = re.compile(rf"{_WHOSE}_?")
_PREFIX = re.compile(rf"{_WHOSE}_(?P<own>.+)")


def recognizes(members: list[Member]) -> bool:
    return any(_FOLDER.match(member.path[0]) for member in members)


def read(members: list[Member]) -> Source:
    source = Source("Moodle")
    found = []
    for member in members:
        top, *rest = member.path
        if rest and (match := _FOLDER.fullmatch(top)):
            path = tuple(rest)
        elif match := _PREFIX.fullmatch(top):
            path = (match["own"], *rest)
        else:
            source.loose.append(member)
            continue
        identity = _identity(match)
        found.append((identity.own, identity, member.at(path)))
    for identity, files in grouped(found).values():
        source.attempts.append(Attempt((identity,), tuple(files)))
    return source


def _identity(match: re.Match[str]) -> Identity:
    known: tuple[tuple[Kind, str], ...] = (("moodle", match["number"]), ("name", match["name"]))
    return Identity(f"{match['name']}_{match['number']}", known)

"""What Gradescope downloads by "Export Submissions": a folder for each, and one file about all.

`assignment_77_export/submission_metadata.yml` has a key for each folder, such as submission_4711,
with `:submitters` (`:name`, `:sid`, `:email`; several for a group), `:created_at`, and `:history`,
the attempts before. It was written by a Ruby program, so keys are symbols and a time may be an
object of Rails. It holds the active attempt only.

Gradescope does not document this file. Its keys are those that programs for such exports read, such
as https://github.com/ucbds-infra/otter-grader, and mean what those of
https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/ mean.
"""

from __future__ import annotations

import datetime
import itertools
import re
from typing import Any, ClassVar

import yaml

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.collect.attempts import Attempt, Identity, Kind, Source
from tilelab.collect.members import METADATA, Member
from tilelab.labs.moments import is_near


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads Ruby's objects as what they are made of, and numbers as text: 0042 is an id."""

    yaml_implicit_resolvers: ClassVar = {
        first: [one for one in resolvers if one[0].endswith((":timestamp", ":null"))]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def _plain(loader: _Loader, _: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


# What the file says of one submission.
_PART = re.compile(rb"^[^\s#%&*!|>-][^\n]*(?:\n(?:[ \t-][^\n]*)?)*", re.MULTILINE)

# More than that in a file about a class is none, and takes minutes to find that out.
_MOST_PARTS = 20_000
_MOST_VALUES = 1_500_000

_UNREADABLE = (yaml.YAMLError, ValueError, RecursionError, TypeError)

_Loader.add_multi_constructor("!", _plain)


def recognizes(members: list[Member]) -> bool:
    return _metadata(members) is not None


def read(members: list[Member]) -> Source:
    """Raises UserError if the file about the submissions cannot be read."""
    metadata = _metadata(members)
    assert metadata is not None
    root = metadata.path[:-1]
    source = Source("Gradescope")
    about = _load(metadata, source.refused)
    folders: dict[str, list[Member]] = {str(name): [] for name in about}
    for member in members:
        inside = member.path[len(root) :]
        if member.path[: len(root)] != root or len(inside) < 2 or inside[0] not in folders:
            if member is not metadata:
                source.loose.append(member)
            continue
        folders[inside[0]].append(member.at(inside[1:]))
    for name, facts in about.items():
        if attempt := _attempt(facts, folders[str(name)]):
            source.attempts.append(attempt)
        else:
            source.refused.append(f"{name}: {METADATA} does not say whose it is")
    return source


def _metadata(members: list[Member]) -> Member | None:
    found = [one for one in members if one.name == METADATA and len(one.path) <= 2]
    return min(found, key=lambda one: len(one.path), default=None)


def _load(member: Member, refused: list[str]) -> dict[Any, Any]:
    """What the file says of each submission. Refuses those of which nothing can be read."""
    data = member.data()
    _assert_plausible(member, data)
    try:
        about = yaml.load(data, Loader=_Loader)
    except _UNREADABLE:
        about = _load_each(data, member, refused)
    if not isinstance(about, dict) or not about:
        why = f": {refused[0]}" if refused else ""
        raise UserError(
            f"{member.shown} says nothing of any submission{why}. If another export does not "
            "either, unpack it and name the folders by students, and collect that without the file"
        )
    return about


def _assert_plausible(member: Member, data: bytes) -> None:
    """Raises UserError if there is too much in the file. Each value ends with a line or a comma."""
    parts = sum(1 for _ in itertools.islice(_PART.finditer(data), _MOST_PARTS + 1))
    if parts > _MOST_PARTS or data.count(b"\n") + data.count(b",") > _MOST_VALUES:
        raise UserError(
            f"{member.shown} holds more than an export of submissions does. Export it again, or "
            "unpack it, name the folders by students, and collect that without the file"
        )


def _load_each(data: bytes, member: Member, refused: list[str]) -> dict[Any, Any]:
    """Reads the part about each submission by itself, so that what is wrong in one is of no other.

    Their files then belong to nobody, which is asked about.
    """
    about: dict[Any, Any] = {}
    for begin in _PART.finditer(data):
        try:
            part = yaml.load(begin[0], Loader=_Loader)
            about |= part if isinstance(part, dict) else {}
        except _UNREADABLE as error:
            line = data.count(b"\n", 0, begin.start()) + 1
            name = one_line(begin[0].partition(b":")[0][:80].decode(errors="replace"))
            said = (getattr(error, one, None) for one in ("context", "problem"))
            why = ", ".join(filter(None, said)) or type(error).__name__
            refused.append(f"{name}: {member.name}, line {line}, cannot be read ({why})")
    return about


def _attempt(facts: object, files: list[Member]) -> Attempt | None:
    submitters = _get(facts, "submitters")
    if not isinstance(submitters, list):
        return None
    students = tuple(one for one in map(_identity, submitters) if one)
    if not students:
        return None
    when = _time(_get(facts, "created_at"))
    history = _get(facts, "history")
    earlier = history if isinstance(history, list) else []
    times = {_time(_get(one, "created_at")) for one in earlier}
    before = sorted(time for time in times if time and (when is None or time < when))
    return Attempt(students, tuple(files), when, tuple(before))


def _get(facts: object, key: str) -> Any:
    if not isinstance(facts, dict):
        return None
    return facts.get(f":{key}", facts.get(key))


def _identity(submitter: object) -> Identity | None:
    texts: dict[Kind, str] = {}
    kinds: tuple[tuple[Kind, str], ...] = (("id", "sid"), ("email", "email"), ("name", "name"))
    for kind, key in kinds:
        value = _get(submitter, key)
        if isinstance(value, str) and value.strip():
            texts[kind] = value.strip()
    if not texts:
        return None
    return Identity(next(iter(texts.values())), tuple(texts.items()))


def _time(value: object) -> datetime.datetime | None:
    """A moment in UTC, in which Gradescope's export writes times that name no zone."""
    if isinstance(value, dict):  # ActiveSupport::TimeWithZone
        value = value.get("utc")
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if not isinstance(value, datetime.datetime) or not is_near(value):
        return None
    zoned = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
    return zoned.astimezone(datetime.UTC)

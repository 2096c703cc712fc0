"""Clones of repositories: `TITLE-USERNAME/labs/diff/diff.cu`, as those of GitHub Classroom.

`gh classroom clone student-repos` makes such a folder, and so do other programs:
https://docs.github.com/en/education/manage-coursework-with-github-classroom. A clone is one
attempt, with the files of its last commit. Each earlier commit that changed a file has a version of
it, and its time is that of the commit. The student's computer sets that time, not GitHub.

A clone may come from anywhere, so git sees its objects and nothing else: not its configuration, its
hooks, or its working tree.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from tilelab.collect.attempts import Attempt, Identity, Kind, Source
from tilelab.collect.git_objects import Git
from tilelab.collect.members import MAX_FILE, MIB, Member, Refused, Spool, is_hidden, shown, valid
from tilelab.collect.naming import without_harness
from tilelab.labs.moments import is_near
from tilelab.model.lab import Lab

_MOST_ATTEMPTS = 50  # of one file


def repositories(folder: Path) -> list[Path]:
    """The clones in a folder, or the folder if it is one. None if it is something else."""
    if not folder.is_dir():
        return []
    if (folder / ".git").is_dir():
        return [folder.resolve()]
    return sorted(one for one in folder.iterdir() if (one / ".git").is_dir())


def read(clones: list[Path], labs: Sequence[Lab], spool: Spool, work: Path) -> Source:
    """Raises UserError if git is not installed."""
    source = Source("clones")
    if len(clones) > 1:
        others = sorted(set(clones[0].parent.iterdir()) - set(clones))
        names = [one.name for one in others if not one.name.startswith(".")]
        source.refused += [f"{shown((name,))}: is no clone, as the others here" for name in names]
    prefix = _prefix([clone.name for clone in clones])
    for clone in clones:
        git = Git(clone, work)
        identity = _identity(clone.name, prefix)
        try:
            files = _files(git, labs, spool, source.refused)
            source.attempts.append(Attempt((identity,), tuple(files)))
        except Refused as why:
            source.refused.append(f"{shown((clone.name,))}: {why}")
    return source


def _identity(name: str, prefix: str) -> Identity:
    user = name.removeprefix(prefix)
    # Titles and user names may have dashes, so the roster decides, and the longest comes first.
    words = name.split("-")
    tails = ["-".join(words[begin:]) for begin in range(len(words))]
    shortest = len(user) if prefix else 1
    kinds: tuple[Kind, ...] = ("github", "login")
    known = [(kind, tail) for tail in tails if len(tail) >= shortest for kind in kinds]
    return Identity(user, tuple(known))


def _prefix(names: list[str]) -> str:
    """What the names of all clones have in common, up to a dash. Nothing if there is only one."""
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)
    same = itertools.takewhile(
        lambda at: first[at : at + 1] == last[at : at + 1], range(len(first))
    )
    return first[: first.rfind("-", 0, len(list(same))) + 1]


def _files(git: Git, labs: Sequence[Lab], spool: Spool, refused: list[str]) -> list[Member]:
    """The files of the last commit, of which kernels and questions have their versions."""
    head = git.head()
    members = []
    for line in git.lines("ls-tree", "-r", "-z", head):
        facts, _, name = line.partition("\t")
        parts = tuple(name.split("/"))
        try:
            if is_hidden(parts):
                continue
            if facts.startswith(("120000", "160000")):
                raise Refused("is a link")
            members.append(Member(valid(parts), origin=(git.clone.name, *parts)))
        except Refused as why:
            refused.append(f"{shown((git.clone.name, *parts))}: {why}")
    files = []
    for member in without_harness(members, labs):
        if not member.is_kernel and not member.is_question:
            files.append(member)
            continue
        try:
            versions = list(_versions(git, head, member, spool))
            if not versions:
                raise Refused("is in no commit that git finds by its name")
            files.append(replace(versions[-1], older=tuple(versions[:-1])))
        except Refused as why:
            refused.append(f"{member.shown}: {why}")
    return files


def _versions(git: Git, head: str, member: Member, spool: Spool) -> Iterator[Member]:
    path = "/".join(member.path)
    commits = git.lines("log", "-z", f"-{_MOST_ATTEMPTS}", "--format=%H %ct", head, "--", path)
    for number, line in enumerate(reversed(commits), 1):
        commit, _, seconds = line.partition(" ")
        try:
            copy = _version(git, f"{commit}:{path}", spool)
        except Refused:
            # An earlier commit may have removed the file, or have had a file that is too large.
            if number == len(commits):
                raise
            continue
        yield replace(member, copy=copy, when=_time(seconds))


def _version(git: Git, blob: str, spool: Spool) -> Path:
    if int(git.output("cat-file", "-s", blob)) > MAX_FILE:
        raise Refused(f"is larger than {MAX_FILE // MIB} MiB")
    return spool.keep(BytesIO(git.output("cat-file", "blob", blob)), MAX_FILE)


def _time(seconds: str) -> datetime.datetime | None:
    try:
        found = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return found if is_near(found) else None

"""Reads requirements.lock: the packages that are installed, each with its version and its hashes.

Each group has a section with everything that it needs, other packages' needs included. A section
starts with what pyproject.toml said about the group, such as "# [run] typer>=0.12, rich>=13".
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from tilelab.base.requirements import PROJECT, name_of

LOCK = PROJECT.with_name("requirements.lock")
PIP_OPTIONS = (
    "--require-hashes",
    "--only-binary=:all:",
    "--no-input",
    "--disable-pip-version-check",
    "--retries=1",
    "--timeout=20",
)
"""What pip is given next to a file with locked packages."""

_SECTION = re.compile(r"^# \[(\w+)\] (.*)\n", re.MULTILINE)


def head(group: str, requirements: list[str]) -> str:
    """The line that starts a group's section."""
    return f"# [{group}] {', '.join(requirements)}\n"


def text(*groups: str, lock: Path = LOCK) -> str:
    """The locked packages of some groups, each once, as pip reads them."""
    sections = _sections(lock)
    return "".join(dict.fromkeys(block for group in groups for block in sections[group][1]))


def requirements(group: str, lock: Path = LOCK) -> list[str]:
    """What pyproject.toml said about a group when the file was made."""
    return _sections(lock)[group][0]


def versions(group: str, lock: Path = LOCK) -> dict[str, list[str]]:
    """The versions of each package of a group: more than one if they depend on Python's."""
    found: dict[str, list[str]] = {}
    for block in _sections(lock)[group][1]:
        name, _, rest = block.partition("==")
        found.setdefault(name_of(name), []).append(rest.split()[0])
    return found


@functools.cache
def _sections(lock: Path) -> dict[str, tuple[list[str], list[str]]]:
    _, *parts = _SECTION.split(lock.read_text(encoding="utf-8"))
    return {
        name: (needs.split(", "), re.findall(r"^\S.*(?:\n .*)*\n", blocks, re.MULTILINE))
        for name, needs, blocks in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    }

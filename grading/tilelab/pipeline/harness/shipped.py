"""The harness that a wheel brought, so that nobody waits for what is the same for all.

The wheel is installed, or lies in the repository. It serves a repository whose sources are the ones
that it was built from.
"""

from __future__ import annotations

import functools
import json
import re
import shutil
from pathlib import Path

from tilelab.backends.base import Backend
from tilelab.base import system
from tilelab.base.errors import InfraError
from tilelab.base.repository import HOME, REPO
from tilelab.pipeline.harness import precompiled, sources, unpacked

_OLDEST = 12  # the g++ whose C++ library it needs


def folder(backend: Backend, labs: tuple[str, ...]) -> Path | None:
    """The shipped harness, if there is one and it can judge these labs here."""
    return None if misfit(backend, labs) else _shipped(backend)


def precompile(shipped: Path) -> None:
    """Makes what only this machine's own compiler can make."""
    precompiled.make(shipped, shipped.parents[1], _compiler())


@functools.cache
def misfit(backend: Backend, labs: tuple[str, ...]) -> str | None:
    """Why the shipped harness cannot judge these labs here. None if it can, or there is none."""
    shipped = _shipped(backend)
    if shipped is None:
        wheel = None if HOME else unpacked.wheel()
        return wheel.problem if wheel and backend.has_checked_build else None
    if not _compiler():
        return f"it needs g++ {_OLDEST} or later"
    if REPO != HOME and (name := sources.differing(REPO, sources.text(shipped), labs)):
        return f"it was built from another {name}"
    return None


def described(harness: Path, name: str) -> str:
    """The text of toolchain.json or program.json, for this machine. Raises InfraError."""
    path = harness / name
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InfraError(f"{path} cannot be read: {error.strerror}.") from error
    if not sources.is_listed(harness):
        return text
    cxx = _compiler()
    values = {
        "home": str(harness.parents[1]),
        "precompiled": str(precompiled.folder(harness, cxx)),
        "cxx": cxx,
        "compiler": f"GNU {system.output(cxx, '-dumpfullversion').strip()}",
    }
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", json.dumps(value)[1:-1])
    return text


def _shipped(backend: Backend) -> Path | None:
    home = HOME or ((wheel := unpacked.wheel()) and wheel.home)
    found = home / "build" / backend.preset if home else None
    return found if found and sources.is_listed(found) else None


@functools.cache
def _compiler() -> str:
    """The path of g++, "" unless it is new enough."""
    found = shutil.which("g++") or ""
    major = re.match(r"\d+", system.output(found, "-dumpfullversion")) if found else None
    return found if major and int(major[0]) >= _OLDEST else ""

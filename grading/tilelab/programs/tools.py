"""What builds programs: a few libraries that CMake builds and program.json describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tilelab import backends
from tilelab.backends.base import Backend
from tilelab.base.errors import InfraError, UserError
from tilelab.base.repository import IS_SHARED, REPO
from tilelab.pipeline.harness import building, sharing, shipped, steps
from tilelab.pipeline.harness.steps import Tell

_TARGET = "program"
_WITH_ESTIMATES = "program_estimates"


@dataclass(frozen=True)
class Build:
    """The command lines that make a program.

    `cuda` and `cxx` compile one file, with the placeholders {source} {object} {flags}. `link` has
    {objects} and {program}.
    """

    cuda: list[str]
    cxx: list[str]
    link: list[str]


@dataclass(frozen=True)
class Tools:
    """How a backend makes programs. `describe` says in words what a checked program reported.

    `estimator` says how long launches take on a GPU.
    """

    backend: Backend
    builds: Mapping[str, Build]
    describe: Path
    estimator: Path

    def build(self, *, checked: bool) -> Build:
        """Raises UserError if the backend cannot observe programs."""
        if not checked:
            return self.builds["fast"]
        if "checked" not in self.builds:
            raise UserError(f"the backend {self.backend.preset} has no checked build")
        return self.builds["checked"]


def prepare(preset: str | None, tell: Tell = steps.nobody, *, estimates: bool = False) -> Tools:
    """Builds what programs need, if necessary, and the estimator if it is asked for.

    Raises UserError or InfraError.
    """
    target = _WITH_ESTIMATES if estimates else _TARGET
    backend = backends.named(preset) if preset else _default()
    backends.assert_usable(backend)
    if installed := shipped.folder(backend, ()):
        return _load(backend, installed)
    owners = REPO / "build" / backend.preset
    if IS_SHARED and building.is_configured(owners) and sharing.is_up_to_date(owners, [target]):
        return _load(backend, owners)
    folder = building.folder_of(backend.preset)
    with building.turn(backend.preset, tell):
        before = sharing.forget(folder)
        building.build(backend.preset, target, tell=tell)
        sharing.note(folder, [target], before)
    return _load(backend, folder)


def _default() -> Backend:
    """The first backend that can observe programs here. Otherwise the first one says why not."""
    able = [one for one in backends.BACKENDS if one.has_checked_build]
    return next((one for one in able if one.missing() is None), able[0])


def _load(backend: Backend, folder: Path) -> Tools:
    path = folder / "program.json"
    try:
        data = json.loads(shipped.described(folder, path.name))
        if data["schema"] != 1:
            raise ValueError(f"unknown schema {data['schema']}")
        builds = {name: Build(**commands) for name, commands in data["builds"].items()}
        describe, estimator = Path(data["describe"]), Path(data["estimator"])
        return Tools(backend, builds, describe, estimator)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfraError(
            f"{path} cannot be used ({error}): remove {folder} and try again."
        ) from error

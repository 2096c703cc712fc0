"""Prepares the compiled harness of one backend, which CMake builds and toolchain.json describes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

from tilelab import backends
from tilelab.base import limits
from tilelab.base.errors import InfraError
from tilelab.base.repository import IS_SHARED, REPO
from tilelab.labs.lab import all_labs
from tilelab.pipeline.harness import building, sharing, shipped, steps
from tilelab.pipeline.harness.steps import Tell
from tilelab.pipeline.records.toolchain import Build, Toolchain


def load(preset: str, folder: Path) -> Toolchain:
    """Reads a build folder's toolchain.json. Raises InfraError if it cannot be used."""
    backend, path = backends.named(preset), folder / "toolchain.json"
    try:
        data = json.loads(shipped.described(folder, path.name))
        if data["schema"] != 4:
            raise ValueError(f"unknown schema {data['schema']}")
        name = "checked" if backend.has_checked_build else "fast"
        return Toolchain(
            backend=backend,
            folder=folder,
            compiler=data["compiler"],
            cxx=data["cxx"],
            build=_build(name, data["builds"][name]),
            dispatch=data["dispatch"],
            judge=data["judge"],
            confine=Path(data["confine"]),
            peaks=Path(data["peaks"]),
            read_only=[Path(word) for word in data["read_only"]],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfraError(
            f"{path} cannot be used ({error}): remove {folder} and try again."
        ) from error


def _build(name: str, data: dict[str, list[str]]) -> Build:
    return Build(
        name, [str(word) for word in data["compile"]], [str(word) for word in data["link"]]
    )


def prepare(
    preset: str,
    labs: Sequence[str] | None = None,
    *,
    estimates: bool = True,
    tell: Tell = steps.nobody,
) -> Toolchain:
    """Configures and builds the harness of some labs, or of all, if necessary, and loads it.

    The estimator is built only if it is asked for. An installed harness is used if it fits. In a
    repository of somebody else's, the harness of the owner is used if it is up to date. Raises
    InfraError with the log's path. Processes that prepare the same preset take turns.
    """
    limits.ensure()
    names = all_labs() if labs is None else labs
    if installed := shipped.folder(backends.named(preset), tuple(names)):
        shipped.precompile(installed)
        return load(preset, installed)
    targets = [_target(name) for name in names]
    targets += ["estimator"] if estimates else []
    if IS_SHARED and (tool := _of_the_owner(preset, targets)):
        return tool
    folder = building.folder_of(preset)
    with building.turn(preset, tell):
        before = sharing.forget(folder)
        broken = building.build_harness(preset, targets, tell)
        sharing.note(folder, {*targets} - {_target(name) for name in broken}, before)
    return dataclasses.replace(load(preset, folder), broken=broken)


def _target(lab: str) -> str:
    return f"harness_{lab}"


def _of_the_owner(preset: str, targets: Sequence[str]) -> Toolchain | None:
    """The harness in the repository itself, if it is complete and readable."""
    folder = REPO / "build" / preset
    if not building.is_configured(folder) or not sharing.is_up_to_date(folder, targets):
        return None
    try:
        return load(preset, folder)
    except InfraError:
        return None

"""The compiled harness of one backend, which CMake builds and toolchain.json describes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab import backends
from tilelab.backends.base import Backend
from tilelab.base import limits, locks
from tilelab.base.errors import InfraError
from tilelab.base.repository import BUILD, IS_SHARED, REPO
from tilelab.labs.lab import all_labs
from tilelab.model.lab import Criterion
from tilelab.pipeline.harness import building, sharing, shipped, steps
from tilelab.pipeline.harness.steps import Tell

ESTIMATOR = "estimator"


@dataclass(frozen=True)
class Build:
    """The command lines that make a worker of a submission.

    `compile` has the placeholders {source} {object} {include}, `link` has {object} {dispatch}
    {worker}. A checked build observes what kernels do with memory.
    """

    name: str
    compile: list[str]
    link: list[str]

    @property
    def is_checked(self) -> bool:
        return self.name == "checked"


@dataclass(frozen=True)
class Toolchain:
    """Says how to turn a submission into a worker, and which program judges it.

    `cxx` is the compiler of host code. `confine` starts workers, and `peaks` is the worker that
    measures the hardware's peaks. There is one build, checked where the backend can, so that a
    submission cannot tell when it is observed. `filters_calls` says whether workers start behind a
    filter of system calls. Judges share what the lab's own kernels did in the folder `observed`, if
    there is one. What nvcc took is remembered in the folder `accepted`, if there is one.
    `broken` are labs whose judge does not compile.
    """

    backend: Backend
    folder: Path
    compiler: str
    cxx: str
    build: Build
    dispatch: str
    judge: str
    confine: Path
    peaks: Path
    read_only: list[Path]
    filters_calls: bool = True
    observed: Path | None = None
    accepted: Path | None = None
    broken: frozenset[str] = frozenset()

    @property
    def estimator(self) -> Path:
        """The program that runs machine code on the model of a GPU."""
        return self.folder / "bin" / ESTIMATOR

    @property
    def preset(self) -> str:
        return self.backend.preset

    def serves(self, criterion: Criterion) -> bool:
        """Whether its workers can be tested for a criterion."""
        if criterion.needs == "gpu":
            return self.backend.needs_gpu
        return criterion.needs != "checked" or self.build.is_checked

    def sharing(self, folder: Path) -> Toolchain:
        """The same toolchain, with a folder for `observed` in this one."""
        if not self.build.is_checked:
            return self
        observed = folder / self.preset
        observed.mkdir()
        return replace(self, observed=observed)

    def dispatch_object(self, lab: str) -> Path:
        return Path(self.dispatch.replace("{lab}", lab))

    def judge_program(self, lab: str) -> Path:
        """Raises InfraError if the lab is broken: the program may be left from before."""
        if lab in self.broken:
            raise InfraError(self.says_broken(lab))
        return Path(self.judge.replace("{lab}", lab))

    def says_broken(self, lab: str) -> str:
        log = building.log_of(self.preset)
        return f"the tests of {lab} do not compile, so it cannot be graded: {log} says why."

    @property
    def own_workers(self) -> Path:
        """Where workers of the labs' own files are kept. The owner's harness is not ours."""
        return BUILD / self.preset / "workers"

    def fingerprint(self, lab: str) -> str:
        """A hash of everything that a worker of `lab` is made with, except its source."""
        digest = hashlib.sha256()
        digest.update((self.folder / "toolchain.json").read_bytes())
        linked = [Path(word) for word in self.build.link if word.endswith((".a", ".o", ".so"))]
        for path in (self.dispatch_object(lab), *linked):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()


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

    The estimator takes seconds to build, so it is built only for commands that use it. An installed
    harness is used if it fits. In a repository of somebody else's, the harness of the owner is used
    if it is up to date. Raises InfraError with the log's path. Processes that prepare the same
    preset take turns.
    """
    limits.ensure()
    names = all_labs() if labs is None else labs
    if installed := shipped.folder(backends.named(preset), tuple(names)):
        shipped.precompile(installed)
        return load(preset, installed)
    targets = [_target(name) for name in names]
    targets += [ESTIMATOR] if estimates else []
    if IS_SHARED and (tool := _of_the_owner(preset, targets)):
        return tool
    folder = building.folder_of(preset)
    with locks.exclusive(BUILD / f"{preset}.lock"):
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

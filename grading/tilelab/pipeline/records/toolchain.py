"""How a harness makes workers and judges them, as toolchain.json describes it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab.backends.base import Backend
from tilelab.base.errors import InfraError
from tilelab.base.repository import BUILD, log_of
from tilelab.model.lab import Criterion


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


def filled(template: Sequence[str], **paths: Path) -> list[str]:
    """A command line, with each placeholder replaced by its path."""
    command = []
    for word in template:
        for name, path in paths.items():
            word = word.replace(f"{{{name}}}", str(path))
        command.append(word)
    return command


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
        return self.folder / "bin" / "estimator"

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
        log = log_of(self.preset)
        return (
            f"the tests of {lab} do not compile, so no file for it can be judged: {log} says why."
        )

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

"""The compiled harness of one backend, which CMake builds and toolchain.json describes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from tilelab import backends
from tilelab.backends.base import Backend
from tilelab.base import limits, locks, process
from tilelab.base.errors import InfraError
from tilelab.base.repository import REPO

_BUILD_SECONDS = 3600


@dataclass(frozen=True)
class Build:
    """The command lines that make a worker of a submission.

    `compile` has the placeholders {source} {object} {include}, `link` has {object} {dispatch}
    {worker}.
    """

    name: str
    compile: list[str]
    link: list[str]


@dataclass(frozen=True)
class Toolchain:
    """Says how to turn a submission into a worker, and which program judges it.

    `cxx` is the compiler of host code. `confine` starts workers, and `peaks` is the worker that
    measures the hardware's peaks. The checked build observes what kernels do with memory. Not every
    backend has one. Where there is one, it is the only build, so that a submission cannot tell when
    it is observed. `filters_calls` says whether workers start behind a filter of system calls.
    """

    backend: Backend
    folder: Path
    compiler: str
    cxx: str
    fast: Build
    checked: Build | None
    dispatch: str
    judge: str
    confine: Path
    peaks: Path
    read_only: list[Path]
    filters_calls: bool = True

    @property
    def preset(self) -> str:
        return self.backend.preset

    def dispatch_object(self, lab: str) -> Path:
        return Path(self.dispatch.replace("{lab}", lab))

    def judge_program(self, lab: str) -> Path:
        return Path(self.judge.replace("{lab}", lab))

    def fingerprint(self, lab: str) -> str:
        """A hash of everything that a worker of `lab` is made with, except its source."""
        digest = hashlib.sha256()
        digest.update((self.folder / "toolchain.json").read_bytes())
        words = self.fast.link + (self.checked.link if self.checked else [])
        linked = [Path(word) for word in words if word.endswith((".a", ".o", ".so"))]
        for path in (self.dispatch_object(lab), *linked):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()


def load(preset: str) -> Toolchain:
    """Reads build/PRESET/toolchain.json. Raises InfraError if it cannot be used."""
    backend, folder = backends.named(preset), REPO / "build" / preset
    path = folder / "toolchain.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != 4:
            raise ValueError(f"unknown schema {data['schema']}")
        name = "checked" if backend.has_checked_build else "fast"
        build = _build(name, data["builds"][name])
        return Toolchain(
            backend=backend,
            folder=folder,
            compiler=data["compiler"],
            cxx=data["cxx"],
            fast=build,
            checked=build if backend.has_checked_build else None,
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


def prepare(preset: str) -> Toolchain:
    """Configures and builds the harness if necessary, and loads it.

    Raises InfraError with the log's path. Processes that prepare the same preset take turns.
    """
    limits.ensure()
    with locks.exclusive(REPO / "build" / f"{preset}.lock"):
        build(preset, "harness")
    return load(preset)


def build(preset: str, target: str) -> None:
    """Runs CMake for one preset. The caller must hold the preset's lock."""
    folder = REPO / "build" / preset
    if not (folder / "toolchain.json").exists() or _is_elsewhere(folder):
        # --fresh, because an interrupted configuration can leave values that stay wrong.
        _cmake(preset, "configuring", "--fresh", "--preset", preset)
    _cmake(preset, "building", "--build", "--preset", preset, "--target", target)


def log_of(preset: str) -> Path:
    """The log of the last step of building a preset."""
    return REPO / "build" / f"{preset}.log"


def _cmake(preset: str, doing: str, *arguments: str) -> None:
    log = log_of(preset)
    try:
        finished = process.run(
            ["cmake", *arguments],
            seconds=_BUILD_SECONDS,
            cwd=REPO,
            env=backends.named(preset).environment(),
            keep=4 * 1024 * 1024,
        )
    except OSError as error:
        raise InfraError(f"cmake could not be started: {error.strerror}.") from error
    log.write_text(finished.output, encoding="utf-8")
    if finished.timed_out or finished.status != 0:
        raise InfraError(f"{doing} the harness failed: {log} says why.")


def _is_elsewhere(folder: Path) -> bool:
    """Whether the build folder belongs to a repository at another path, after a copy or a move."""
    try:
        cache = (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return f"CMAKE_HOME_DIRECTORY:INTERNAL={REPO}\n" not in cache

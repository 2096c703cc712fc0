"""Configures and builds a preset with CMake."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tilelab import backends
from tilelab.base import locks, process
from tilelab.base.errors import InfraError
from tilelab.base.repository import BUILD, REPO, log_of
from tilelab.labs.lab import all_labs
from tilelab.pipeline.harness import broken, steps
from tilelab.pipeline.harness.steps import Tell

_SECONDS = 3600


def folder_of(preset: str) -> Path:
    return BUILD / preset


@contextmanager
def turn(preset: str, tell: Tell = steps.nobody) -> Iterator[None]:
    """Nobody else builds the preset or tests it. Tells if somebody does for some time."""
    with locks.exclusive(BUILD / f"{preset}.lock", waiting=lambda: tell(*steps.WAITING)):
        yield


def build(preset: str, target: str, *options: str, tell: Tell = steps.nobody) -> None:
    """Builds a target. Raises InfraError with the log's path. It must be the caller's turn."""
    if not _build(preset, [target, *options], tell):
        raise _failure(preset, "building")


def build_harness(preset: str, targets: Sequence[str], tell: Tell = steps.nobody) -> frozenset[str]:
    """Builds what grading needs. Returns the labs that do not compile: the others still work.

    Raises InfraError with the log's path. It must be the caller's turn.
    """
    # Ninja goes on after an error, and so builds all that does not depend on it.
    if _build(preset, [*targets, "--", "-k", "0"], tell):
        return frozenset()
    if not (left_out := _broken_labs(preset)):
        raise _failure(preset, "building")
    return left_out


def errors_of(preset: str, lab: str) -> list[str]:
    """What the compiler says of a lab that the last build left out, in a few lines."""
    return broken.errors(_log(preset), lab)


def is_configured(folder: Path) -> bool:
    """Whether CMake has configured the folder to its end, and for the repository at this path."""
    try:
        json.loads((folder / "toolchain.json").read_text(encoding="utf-8"))
        cache = (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return False
    return f"CMAKE_HOME_DIRECTORY:INTERNAL={REPO}\n" in cache


def _build(preset: str, targets: Sequence[str], tell: Tell) -> bool:
    folder = folder_of(preset)
    arguments = ["--build", str(folder), "--target", *targets]
    if is_configured(folder):
        is_built = _cmake(preset, *arguments, tell=tell)
        if is_built or _broken_labs(preset):
            return is_built
        # A crash or a full disk may have cut off one of CMake's own files.
    # --fresh, because an interrupted configuration can leave values that stay wrong.
    if not _cmake(preset, "--fresh", "--preset", preset, "-B", str(folder)):
        raise _failure(preset, "configuring")
    return _cmake(preset, *arguments, tell=tell)


def _cmake(preset: str, *arguments: str, tell: Tell = steps.nobody) -> bool:
    """Runs CMake from the repository, where the presets are. Its output becomes the log."""
    try:
        finished = process.run(
            ["cmake", *arguments],
            seconds=_SECONDS,
            cwd=REPO,
            env={**backends.named(preset).environment(), **steps.ENVIRONMENT},
            keep=4 * 1024 * 1024,
            heard=steps.Steps(tell).hear,
        )
    except OSError as error:
        raise InfraError(
            f"cmake could not be started ({error.strerror}): install the packages cmake, "
            "ninja-build and catch2."
        ) from error
    log_of(preset).write_text(finished.output, encoding="utf-8")
    return not finished.timed_out and finished.status == 0


def _broken_labs(preset: str) -> frozenset[str]:
    """The labs that explain why the last step failed. None if something else failed as well."""
    labs = broken.labs(_log(preset))
    return labs if labs <= {*all_labs()} else frozenset()


def _log(preset: str) -> str:
    return log_of(preset).read_text(encoding="utf-8", errors="replace")


def _failure(preset: str, doing: str) -> InfraError:
    return InfraError(f"{doing} the harness failed: {log_of(preset)} says why.")

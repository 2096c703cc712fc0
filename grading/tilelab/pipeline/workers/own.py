"""Workers of the lab's own files, each built once."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from tilelab.base import locks
from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.base.files import file_sha256
from tilelab.model.lab import Lab
from tilelab.pipeline import intake, linker, texts
from tilelab.pipeline.harness import prebuilt
from tilelab.pipeline.records.stages import Checked, Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import making
from tilelab.sandbox import jail


def own_workers(lab: Lab, toolchain: Toolchain) -> dict[str, Path]:
    """The lab's baseline and, if this copy has it, its reference solution."""
    paths = {"baseline": lab.baseline, "reference": lab.reference}
    here = {name: path for name, path in paths.items() if _is_here(path, lab, toolchain)}
    return _own(here, lab, toolchain)


def _is_here(path: Path, lab: Lab, toolchain: Toolchain) -> bool:
    return path.is_file() or (
        toolchain.backend.needs_gpu and prebuilt.object_of(path, lab).is_file()
    )


def missing_for_speed(lab: Lab, steps: Sequence[str]) -> str | None:
    """Why speed cannot be graded in this copy of the labs, None if it can."""
    paths = [lab.reference, *(lab.step(step) for step in steps)]
    lacking = [path for path in paths if not path.is_file()]
    return prebuilt.missing(lacking, lab) if lacking else None


def ladder_workers(lab: Lab, toolchain: Toolchain, steps: Sequence[str]) -> dict[str, Path]:
    """Steps of the lab's ladder."""
    return _own({step: lab.step(step) for step in steps}, lab, toolchain)


def _own(paths: dict[str, Path], lab: Lab, toolchain: Toolchain) -> dict[str, Path]:
    return {name: own_worker(path, lab, toolchain) for name, path in paths.items()}


def own_worker(path: Path, lab: Lab, toolchain: Toolchain) -> Path:
    """The worker of one of the lab's own files, built once per toolchain."""
    if not path.is_file():
        return _prebuilt_worker(prebuilt.object_of(path, lab), lab, toolchain)
    try:
        source = intake.read(path)
    except (OSError, Rejected) as error:
        raise InfraError(f"{path} cannot be read: {error}") from error

    def make(folder: Path) -> Worker:
        return making.make_one(texts.inspect(source, lab), toolchain, folder)

    return _made_once(path, source.sha256, make, lab, toolchain)


def _prebuilt_worker(path: Path, lab: Lab, toolchain: Toolchain) -> Path:
    try:
        sha256 = file_sha256(path)
    except OSError as error:
        raise InfraError(f"{path} cannot be read: {error.strerror}") from error

    def make(folder: Path) -> Worker:
        return linker.link(Checked(lab, toolchain, folder, path))

    return _made_once(path, sha256, make, lab, toolchain)


def _made_once(
    path: Path, sha256: str, make: Callable[[Path], Worker], lab: Lab, toolchain: Toolchain
) -> Path:
    """The worker that `make` makes of the file at `path` in an empty folder."""
    # Machines with different jails share a folder on a cluster.
    made_of = f"{sha256[:16]}-{toolchain.fingerprint(lab.name)[:16]}-{_jail(toolchain)[:8]}"
    key = f"{lab.name}-{path.stem}-{toolchain.build.name}-{made_of}"
    folder = toolchain.own_workers / key
    worker = folder / "worker" / "worker"
    finished = folder / "finished"
    with locks.exclusive(folder.with_name(f"{key}.lock")):
        if not _is_whole(worker, finished):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                make(folder)
            except (Rejected, CompileError) as error:
                raise InfraError(f"the lab's own {path} cannot be built: {error}") from error
            finished.write_text(str(worker.stat().st_size), encoding="utf-8")
    return worker


def _is_whole(worker: Path, finished: Path) -> bool:
    """Whether a worker was built to its end, and a crash has not cut it off since."""
    try:
        return worker.stat().st_size == int(finished.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def _jail(toolchain: Toolchain) -> str:
    """A hash of what workers see here, which depends on bubblewrap and on the device files."""
    worker = Path("worker")
    argv = jail.run_jail(worker, toolchain.confine, toolchain.read_only, toolchain.backend)
    return hashlib.sha256("\n".join(argv).encode()).hexdigest()

"""Builds the workers that a judge compares: a submission's, and those of the lab's own files."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tilelab.base import locks, process
from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.base.files import work_folder
from tilelab.model.lab import Lab
from tilelab.pipeline import compiler, intake
from tilelab.pipeline.compiler import referee
from tilelab.pipeline.compiler.referee import Ruling
from tilelab.pipeline.harness import prebuilt
from tilelab.pipeline.harness.toolchain import Toolchain
from tilelab.pipeline.texts import preprocess, rules
from tilelab.pipeline.texts.preprocess import Reading
from tilelab.sandbox import jail


@dataclass(frozen=True)
class Built:
    """The worker of a submission, made by one toolchain."""

    toolchain: Toolchain
    worker: Path
    source: Path


@contextlib.contextmanager
def make(
    text: str, lab: Lab, toolchains: Sequence[Toolchain], work: Path
) -> Iterator[tuple[list[Built], Future[Ruling]]]:
    """Builds the submission's worker for each toolchain, in the empty folder `work`.

    Where nvcc is installed, it has to accept the file, too. It takes longest, so the workers can be
    tested while it reads. Leaving the context stops it. Raises Rejected, CompileError or
    InfraError.
    """
    if problems := rules.check(text, lab.name):
        raise Rejected(*problems)
    left = threading.Event()
    # In parallel, because a student is waiting.
    with process.stopped_by(left), ThreadPoolExecutor(len(toolchains) + 2) as pool:
        try:
            made = [process.submit(pool, _make_one, text, lab, tool, work) for tool in toolchains]
            read = process.submit(pool, _read_by_all, text, lab, toolchains[0], work / "text")
            ruled = process.submit(pool, referee.rule, text, lab, toolchains, work / "nvcc")
            reading = read.result()
            if reading.problems:
                raise Rejected(*reading.problems)
            built = _accepted(toolchains, made, ruled)
            if reading.error:
                # Rather in the words of nvcc, if it found it.
                raise ruled.result().error or reading.error
            yield built, ruled
        finally:
            left.set()


def _read_by_all(text: str, lab: Lab, toolchain: Toolchain, folder: Path) -> Reading:
    folder.mkdir()
    return preprocess.check(text, lab, toolchain, folder)


def _accepted(
    tools: Sequence[Toolchain], made: Sequence[Future[Built]], ruled: Future[Ruling]
) -> list[Built]:
    """The finished workers. Raises what ended one of them, or what nvcc said about that."""
    refused = []
    built = []
    for tool, future in zip(tools, made, strict=True):
        try:
            built.append(future.result())
        except CompileError as error:
            refused.append((error, tool.backend.is_referee))
    if refused:
        if said := ruled.result().error:
            refused.insert(0, (said, True))
        # nvcc's own words, unless only another compiler can name a line.
        raise min(refused, key=lambda one: (not one[0].located, not one[1]))[0]
    return built


def _make_one(text: str, lab: Lab, toolchain: Toolchain, work: Path) -> Built:
    folder = work / f"{toolchain.preset}-{toolchain.build.name}"
    folder.mkdir()
    try:
        worker = compiler.make_worker(text, lab, toolchain, folder)
    except CompileError as error:
        if not error.located:
            _assert_compiler_works(lab, toolchain)
        raise
    return Built(toolchain, worker, compiler.source_in(folder, lab))


def _assert_compiler_works(lab: Lab, toolchain: Toolchain) -> None:
    """Raises InfraError if the lab's baseline does not compile either."""
    with work_folder() as work:
        try:
            text = intake.read(lab.baseline).text
            compiler.make_worker(text, lab, toolchain, work)
        except (CompileError, Rejected) as error:
            raise InfraError(
                f"even the lab's baseline does not compile on this machine: {error}"
            ) from error


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

    def make(folder: Path) -> None:
        compiler.make_worker(source.text, lab, toolchain, folder)

    return _made_once(path, source.sha256, make, lab, toolchain)


def _prebuilt_worker(path: Path, lab: Lab, toolchain: Toolchain) -> Path:
    try:
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InfraError(f"{path} cannot be read: {error.strerror}") from error

    def make(folder: Path) -> None:
        compiler.link_worker(path, lab, toolchain, folder)

    return _made_once(path, sha256, make, lab, toolchain)


def _made_once(
    path: Path, sha256: str, make: Callable[[Path], None], lab: Lab, toolchain: Toolchain
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
    words = jail.run_jail(worker, toolchain.confine, toolchain.read_only, toolchain.backend)
    return hashlib.sha256("\n".join(words).encode()).hexdigest()

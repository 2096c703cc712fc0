"""Makes workers of a submission's text, with all toolchains at the same time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base import process
from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.base.files import work_folder
from tilelab.base.text import shorten
from tilelab.model.lab import Lab
from tilelab.pipeline import compiler, intake, linker, objects, texts
from tilelab.pipeline.compiler import referee
from tilelab.pipeline.records.stages import Inspected, Ruling, Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.texts import braces, meant, preprocess, rules, slips
from tilelab.pipeline.texts.preprocess import Reading


def make_one(inspected: Inspected, toolchain: Toolchain, work: Path) -> Worker:
    """Makes a worker in the empty folder `work`. Raises Rejected, CompileError or InfraError."""
    return linker.link(objects.inspect(compiler.compile_text(inspected, toolchain, work)))


@contextlib.contextmanager
def make(
    inspected: Inspected, toolchains: Sequence[Toolchain], work: Path
) -> Iterator[tuple[list[Worker], Future[Ruling]]]:
    """Makes a worker with each toolchain, in the empty folder `work`.

    Where nvcc is installed, it has to accept the text, too. It takes longest, so the workers can be
    tested while it reads. Leaving the context stops it. Raises Rejected, CompileError or
    InfraError.
    """
    left = threading.Event()
    # In parallel, because a student is waiting.
    with process.stopped_by(left), ThreadPoolExecutor(len(toolchains) + 2) as pool:
        try:
            made = [process.submit(pool, _try_one, inspected, tool, work) for tool in toolchains]
            read = process.submit(pool, _read_by_all, inspected, toolchains[0], work / "text")
            ruled = process.submit(pool, _rule, inspected, toolchains, work / "nvcc")
            reading = read.result()
            if reading.problems:
                raise Rejected(*reading.problems)
            workers = _accepted(inspected, toolchains, made, ruled)
            if reading.error:
                # Rather in the words of nvcc, if it found it.
                raise ruled.result().error or reading.error
            yield workers, ruled
        finally:
            left.set()


def _try_one(inspected: Inspected, toolchain: Toolchain, work: Path) -> Worker:
    folder = work / f"{toolchain.preset}-{toolchain.build.name}"
    folder.mkdir()
    try:
        return make_one(inspected, toolchain, folder)
    except CompileError as error:
        if not error.located:
            _assert_compiler_works(inspected.lab, toolchain)
        raise


def _read_by_all(inspected: Inspected, toolchain: Toolchain, folder: Path) -> Reading:
    folder.mkdir()
    return preprocess.check(inspected, toolchain, folder)


def _rule(inspected: Inspected, toolchains: Sequence[Toolchain], work: Path) -> Ruling:
    """What nvcc says. A broken one is ignored, with a note."""
    ruling = referee.rule(inspected, toolchains, work)
    if ruling.error and (problem := _problem_of_nvcc(inspected)):
        return Ruling(note=f"nvcc was ignored, because it does not work here: {problem}")
    return replace(ruling, error=_in_text(inspected, ruling.error)) if ruling.error else ruling


def _accepted(
    inspected: Inspected,
    tools: Sequence[Toolchain],
    made: Sequence[Future[Worker]],
    ruled: Future[Ruling],
) -> list[Worker]:
    """The finished workers. Raises what ended one of them, in the words that help most.

    Those are the host compiler's: they suggest a name for one that is misspelled, and name the line
    that lacks a semicolon and not the next one. They also come first. nvcc's are for what only nvcc
    refuses, and where no other compiler can name a line.
    """
    refused = []
    workers = []
    for tool, future in zip(tools, made, strict=True):
        try:
            workers.append(future.result())
        except CompileError as error:
            refused.append((not error.located, tool.backend.is_referee, error))
    if not refused:
        return workers
    without_line, _, refusal = min(refused, key=lambda one: one[:2])
    if without_line:
        refusal = ruled.result().error or refusal
    raise _in_text(inspected, refusal)


def _in_text(inspected: Inspected, error: CompileError) -> CompileError:
    """The error with what the text tells, after the slip that makes most others, if any does."""
    messages = [meant.told(one, inspected.tokens) for one in error.messages]
    wrong = slips.first(inspected.tokens) or braces.problem(inspected.text, inspected.tokens)
    if wrong is None:
        return CompileError(messages, located=error.located)
    message = f"{inspected.lab.name}.cu:{wrong.line}: error: {wrong.says}"
    others = [one for one in messages if one != message]
    return CompileError([message, *others], located=True)


def _assert_compiler_works(lab: Lab, toolchain: Toolchain) -> None:
    """Raises InfraError if the lab's baseline does not compile either."""
    with work_folder() as work:
        try:
            make_one(texts.inspect(intake.read(lab.baseline), lab), toolchain, work)
        except (CompileError, Rejected) as error:
            raise InfraError(
                f"even the lab's baseline does not compile on this machine: {error}"
            ) from error


_problems: dict[tuple[Path, Path, tuple[str, ...]], str | None] = {}


def _problem_of_nvcc(inspected: Inspected) -> str | None:
    """Why nvcc cannot even compile the baseline with a submission's headers. None if it can."""
    nvcc, lab = nvidia.nvcc(), inspected.lab
    assert nvcc is not None
    headers = rules.headers(inspected.tokens, lab.header.name)
    key = (lab.baseline, nvcc, headers)
    if key not in _problems:
        _problems[key] = _try_nvcc(lab, nvcc, headers)
    return _problems[key]


def _try_nvcc(lab: Lab, nvcc: Path, headers: Sequence[str]) -> str | None:
    included = "".join(f"#include <{header}>\n" for header in headers)
    with work_folder() as work:
        try:
            error = referee.refusal(included + intake.read(lab.baseline).text, lab, nvcc, work)
        except (InfraError, Rejected, OSError) as failure:
            return shorten(str(failure), 200)
    return shorten(error.messages[0], 200) if error else None

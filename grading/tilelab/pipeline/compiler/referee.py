"""Has nvcc compile a submission, so that a file that nvcc refuses is refused without a GPU, too.

g++ accepts some code that nvcc refuses. A backend that compiles with nvcc needs no referee.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.base.errors import CompileError
from tilelab.model.lab import Lab
from tilelab.pipeline import compiler
from tilelab.pipeline.records.stages import Inspected, Ruling
from tilelab.pipeline.records.toolchain import Toolchain

# The emulated device's compute capability. One is enough, because nothing runs.
_ARCHITECTURE = "sm_90"


def rule(inspected: Inspected, toolchains: Sequence[Toolchain], work: Path) -> Ruling:
    """Compiles a submission in the new folder `work`."""
    nvcc = nvidia.nvcc()
    if nvcc is None or any(tool.backend.is_referee for tool in toolchains):
        return Ruling()
    lab, text = inspected.lab, inspected.text
    read = (nvcc, lab.name, lab.header.read_bytes(), text)
    if read in _accepted or _is_accepted(inspected):
        return Ruling()
    kept = _kept(inspected, nvcc, toolchains)
    if kept and kept.exists():
        return Ruling()
    work.mkdir()
    error = refusal(text, lab, nvcc, work)
    if error is None:
        _accepted.add(read)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.touch()
        return Ruling()
    return Ruling(error)


# What nvcc took once, it takes again: files are graded repeatedly, by `verify` for example.
_accepted: set[tuple[Path, str, bytes, str]] = set()


def _kept(inspected: Inspected, nvcc: Path, toolchains: Sequence[Toolchain]) -> Path | None:
    """The file that is there once nvcc has taken this text, None where that is not kept.

    Its name is a hash of all that nvcc reads, and of nvcc itself.
    """
    folder = next((tool.accepted for tool in toolchains if tool.accepted), None)
    if folder is None:
        return None
    digest, lab = hashlib.sha256(), inspected.lab
    contract = lab.header.read_text(encoding="utf-8")
    for part in (*_identity(nvcc), lab.name, contract, inspected.text):
        digest.update(f"{len(part)} {part}\n".encode())
    return folder / digest.hexdigest()


@functools.cache
def _identity(nvcc: Path) -> tuple[str, ...]:
    """How nvcc is called, and what changes when it or the compiler below it is replaced."""
    found = nvcc.stat()
    versions = (nvidia.nvcc_version(), system.version(nvidia.host_compiler()))
    return (*_command(nvcc), *map(str, (*versions, found.st_size, found.st_mtime_ns)))


# Submissions that nvcc compiles for something else, and whether it took them.
_compiling: dict[tuple[str, str], Future[bool]] = {}


@contextlib.contextmanager
def compiled_elsewhere(inspected: Inspected) -> Iterator[None]:
    """Has rule() wait for accept() or for the end of this, and compile only if accept() never came.

    So one compilation does for both, and what nvcc refuses is refused in the usual words.
    """
    key = _key(inspected)
    compiling = _compiling[key] = Future()
    try:
        yield
    finally:
        del _compiling[key]
        if not compiling.done():
            compiling.set_result(False)


def accept(inspected: Inspected) -> None:
    """Says that nvcc took a submission in all of its steps."""
    compiling = _compiling.get(_key(inspected))
    if compiling is not None and not compiling.done():
        compiling.set_result(True)


def _is_accepted(inspected: Inspected) -> bool:
    compiling = _compiling.get(_key(inspected))
    return compiling is not None and compiling.result()


def _key(inspected: Inspected) -> tuple[str, str]:
    return inspected.lab.name, inspected.text


def refusal(text: str, lab: Lab, nvcc: Path, work: Path) -> CompileError | None:
    """What nvcc has against a text, which it compiles in the empty folder `work`."""
    try:
        # The tests run meanwhile.
        compiler.run(text, lab, _command(nvcc), nvidia.installation(nvcc), work, in_background=True)
    except CompileError as error:
        return error
    return None


def _command(nvcc: Path) -> list[str]:
    """Runs every step of nvcc that refuses programs.

    The last step, in which g++ compiles what is left for the host, happens for the emulator anyway.
    """
    host = nvidia.host_compiler()
    return [
        *(str(nvcc), "-ccbin", host, "-std=c++20", "-w", f"-arch={_ARCHITECTURE}"),
        *("-Xptxas", "-O0", "-I{include}", "-cuda", "{source}", "-o", "{object}"),
    ]

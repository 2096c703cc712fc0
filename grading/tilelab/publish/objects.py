"""Compiles the lab's own kernels to objects, for a copy of the labs that lacks their source.

An object has machine code for every GPU that nvcc knows, and neither PTX nor line numbers, which
are easier to read. It can still be disassembled.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tilelab import backends
from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.base.errors import CompileError, InfraError
from tilelab.base.files import work_folder
from tilelab.model.lab import Lab
from tilelab.pipeline import compiler, intake
from tilelab.pipeline.harness import prebuilt
from tilelab.pipeline.harness.prebuilt import MadeBy
from tilelab.pipeline.objects import check, localize
from tilelab.pipeline.records.toolchain import Toolchain

OLDEST = 75  # the first architecture for which a submission is compiled, too


def objects(lab: Lab, toolchain: Toolchain) -> dict[Path, bytes]:
    """The files of labs/NAME/reference/kernels; none if speed does not count or there is no nvcc.

    Raises InfraError if a kernel cannot be compiled.
    """
    nvcc = nvidia.nvcc()
    curve = next((one.curve for one in lab.criteria if one.curve), None)
    if nvcc is None or curve is None:
        return {}
    architectures = _architectures(nvcc)
    made_by = MadeBy(
        nvidia.nvcc_version() or "",
        platform.machine(),
        tuple(f"{one // 10}.{one % 10}" for one in architectures),
    )
    sources = [lab.reference, *(lab.step(step) for step in curve.ladder)]
    found = {
        prebuilt.object_of(path, lab): _object(path, lab, toolchain, nvcc, architectures)
        for path in sources
    }
    return {prebuilt.note(lab): made_by.to_json().encode(), **found}


def _architectures(nvcc: Path) -> list[int]:
    listed = system.output(nvcc, "--list-gpu-arch").replace("compute_", "").split()
    return sorted(int(one) for one in listed if one.isdecimal() and int(one) >= OLDEST)


def _object(
    path: Path, lab: Lab, toolchain: Toolchain, nvcc: Path, architectures: Sequence[int]
) -> bytes:
    """One object, which is kept in the build folder."""
    source = intake.read(path)
    command = _command(nvcc, architectures)
    made_of = f"{source.sha256} {nvidia.nvcc_version()} {command} {lab.header.read_text()}"
    key = hashlib.sha256(made_of.encode()).hexdigest()[:16]
    kept = toolchain.folder / "objects" / f"{lab.name}-{path.stem}-{key}.o"
    if not kept.is_file():
        kept.parent.mkdir(exist_ok=True)
        with work_folder() as work:
            made = _compiled(source.text, lab, toolchain, command, nvcc, work)
            shutil.move(made, kept)
    return kept.read_bytes()


def _compiled(
    text: str, lab: Lab, toolchain: Toolchain, command: list[str], nvcc: Path, work: Path
) -> Path:
    try:
        made, _ = compiler.run(text, lab, command, nvidia.installation(nvcc), work)
        entries = check.wanted_entries(toolchain.dispatch_object(lab.name))
        timing = next(one for one in backends.BACKENDS if one.measures_time)
        localize(made, [*entries, *timing.symbols().kept])
    except CompileError as error:
        raise InfraError(f"{lab.name}'s own kernels cannot be compiled: {error}") from error
    subprocess.run(["strip", "--strip-unneeded", str(made)], check=True)
    return made


def _command(nvcc: Path, architectures: Sequence[int]) -> list[str]:
    """As common/worker/backends/cuda/backend.cmake compiles, for all GPUs and without lines."""
    host = nvidia.host_compiler()
    code = [f"-gencode=arch=compute_{one},code=sm_{one}" for one in architectures]
    return [
        *(str(nvcc), "-ccbin", host, "-std=c++20", "-O3", *code),
        *("-I{include}", "-c", "{source}", "-o", "{object}"),
    ]

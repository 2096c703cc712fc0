"""Has nvcc compile a submission for one compute capability, and reads what became of it.

No GPU is needed. A submission is compiled as it is for grading on a GPU.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.base.errors import InfraError, UserError
from tilelab.base.repository import REPO
from tilelab.base.text import shorten
from tilelab.estimate import ptxas, sass
from tilelab.estimate.multiprocessor import Capability
from tilelab.estimate.ptxas import Resources
from tilelab.estimate.sass import Function
from tilelab.pipeline import compiler
from tilelab.pipeline.harness import missing
from tilelab.pipeline.objects.demangle import demangle
from tilelab.pipeline.records.stages import Inspected
from tilelab.sandbox import jail

STANDARD = REPO / "common" / "worker" / "standard"


@dataclass(frozen=True)
class Cubin:
    """A submission's machine code, and what nvcc gave each kernel.

    `names` has the kernels' names as C++ writes them. `capability` is what nvcc compiled for.
    """

    path: Path
    capability: Capability
    resources: Sequence[Resources]
    names: Sequence[str]


def compile_for(capability: Capability, inspected: Inspected, work: Path) -> Cubin:
    """Compiles in the empty folder `work`, for the nearest capability that nvcc knows.

    Raises CompileError, or InfraError without nvcc.
    """
    nvcc = nvidia.nvcc()
    if nvcc is None:
        raise InfraError("nvcc is missing.")
    known = nearest(capability, _known(nvcc))
    host = nvidia.host_compiler()
    template = [
        *(str(nvcc), "-ccbin", host, "-std=c++20", "-O3", "-lineinfo", "-w"),
        *(f"-arch=sm_{known[0]}{known[1]}", "-I{include}", "-isystem", str(STANDARD)),
        *("-Xptxas", "-v", "-cubin", "{source}", "-o", "{object}"),
    ]
    readable = [*nvidia.installation(nvcc), STANDARD]
    path, output = compiler.run(inspected.text, inspected.lab, template, readable, work)
    resources = ptxas.read(output)
    names = demangle((one.name for one in resources), path.parent)
    return Cubin(path, known, resources, names)


def nearest(wanted: Capability, known: Sequence[Capability]) -> Capability:
    """The newest that is not newer than `wanted`, or the oldest if all are."""
    older = [one for one in known if one <= wanted]
    return max(older) if older else min(known)


@functools.cache
def _known(nvcc: Path) -> tuple[Capability, ...]:
    """The compute capabilities that nvcc compiles for. Raises InfraError if it does not say."""
    listed = system.output(nvcc, "--list-gpu-arch").split()
    digits = [word.removeprefix("compute_") for word in listed]
    found = tuple((int(text[:-1]), int(text[-1])) for text in digits if text.isdecimal())
    if not found:
        raise InfraError(f"{nvcc} does not say for which GPUs it compiles.")
    return found


def disassemble(cubin: Cubin) -> list[Function]:
    """The machine code of a submission. Raises UserError without nvdisasm, or InfraError."""
    shown = cubin.path.with_name("machine_code.txt")
    write_disassembly(cubin.path, shown, "-gi")
    text = shown.read_text(encoding="utf-8", errors="replace")
    return sass.read(text, lambda file: PurePath(file).name == f"{cubin.path.stem}.cu")


def write_disassembly(cubin: Path, file: Path, details: str) -> None:
    """Writes the machine code of a cubin to a file next to it. Raises UserError or InfraError.

    `details` is an option of nvdisasm that says what to show with it. The output can be long, so it
    does not come through a pipe.
    """
    program = nvidia.nvdisasm()
    if program is None:
        raise UserError(f"nvdisasm is missing: {missing.NVDISASM}")
    argv = ["sh", "-c", 'exec "$0" -c "$3" "$1" > "$2"', program, cubin, file, details]
    finished = jail.run_compiler([str(word) for word in argv], cubin.parent, [program.parent])
    if finished.status != 0:
        raise InfraError(f"nvdisasm failed: {shorten(finished.output.strip(), 200)}")

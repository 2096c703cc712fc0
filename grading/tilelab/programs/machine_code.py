"""What nvcc makes of the files of a program: the machine code of their kernels."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base import process
from tilelab.base.errors import CompileError, InfraError
from tilelab.base.text import printable, shorten
from tilelab.estimate import cubin, ptxas
from tilelab.estimate.cubin import Variable
from tilelab.estimate.multiprocessor import Capability
from tilelab.estimate.ptxas import Resources
from tilelab.pipeline.estimating import recording
from tilelab.pipeline.estimating.launches import Kernel
from tilelab.programs.compiling import CUDA, Sources


@dataclass(frozen=True)
class Code:
    """The machine code of a file: its text, its kernels, and what they take by their symbols."""

    text: Path
    kernels: tuple[Kernel, ...]
    resources: Mapping[str, Resources]
    constants: bytes
    variables: tuple[Variable, ...]


def compile_files(
    sources: Sources, capability: Capability, work: Path, seconds: float
) -> Sequence[Code]:
    """The machine code of each CUDA file, in the folder `work`. nvcc and nvdisasm are here.

    Raises CompileError, also for a file that takes longer than this many seconds, or InfraError.
    """
    compiler = _Compiler(sources.flags, capability, seconds)
    files = [one for one in sources.files if one.suffix in CUDA]
    names = [work / f"{number}-{source.stem}" for number, source in enumerate(files)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = [
            process.submit(pool, compiler.compile, *one) for one in zip(files, names, strict=True)
        ]
        return [one.result() for one in made]


@dataclass(frozen=True)
class _Compiler:
    flags: Sequence[str]
    capability: Capability
    seconds: float

    def compile(self, source: Path, made: Path) -> Code:
        binary, text = made.with_suffix(".cubin"), made.with_suffix(".sass")
        output = self._assemble(source, binary, text)
        try:
            data = binary.read_bytes()
            kernels, constants = recording.kernels_of(data, output), cubin.constants(data)
            variables = tuple(cubin.variables(data))
        except (OSError, ValueError) as error:
            raise InfraError(f"{binary.name}: {error}") from error
        resources = {one.name: one for one in ptxas.read(output)}
        return Code(text, kernels, resources, constants, variables)

    def _assemble(self, source: Path, binary: Path, text: Path) -> str:
        """Writes the machine code of a file, and its text. Returns what ptxas says about it."""
        nvcc, nvdisasm = nvidia.nvcc(), nvidia.nvdisasm()
        if nvcc is None or nvdisasm is None:
            raise InfraError("nvcc or nvdisasm is missing.")
        major, minor = self.capability
        output = self._run(
            *(nvcc, "-ccbin", nvidia.host_compiler(), "-std=c++20", "-w", "-O3", "-lineinfo"),
            *(f"-arch=sm_{major}{minor}", "--extended-lambda", *self.flags, "-Xptxas", "-v"),
            *("-cubin", source, "-o", binary),
        )
        self._run("sh", "-c", 'exec "$0" -c -hex -gi "$1" > "$2"', nvdisasm, binary, text)
        return output

    def _run(self, *argv: str | Path) -> str:
        """What a program prints. Raises CompileError if it fails."""
        finished = process.run(argv, seconds=self.seconds, keep=1 << 20)
        if finished.timed_out:
            raise CompileError([f"it takes longer than {self.seconds:.0f} s"], located=False)
        if finished.status != 0:
            errors = [it for it in finished.output.splitlines() if re.search(r"\berror\b", it)]
            first = shorten(printable(errors[0] if errors else finished.output.strip()), 300)
            raise CompileError([first], located=bool(errors))
        return finished.output

"""What nvcc and the emulator's compiler say of a program."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from programs import Program
from tilelab.backends import nvidia
from tilelab.base import process
from tilelab.base.errors import CompileError
from tilelab.programs import compiling
from tilelab.programs.compiling import Sources
from tilelab.programs.tools import Tools


def nvcc_says(program: Program) -> str:
    """Why nvcc refuses a program, "" if it accepts each file."""
    return next(filter(None, (_nvcc_refuses(file, program.flags) for file in program.files)), "")


def compile_for_emulator(
    program: Program, tool: Tools, work: Path, *, checked: bool, optimized: bool = True
) -> tuple[Path | None, str]:
    """The program, or why it does not compile."""
    # What only has to compile need not be fast.
    flags = [*program.flags, *([] if optimized else ["-O0"])]
    folder = work / ("checked" if checked else "fast")
    folder.mkdir()
    try:
        sources = Sources(program.files, flags)
        return compiling.compile_program(sources, tool, folder, checked=checked), ""
    except CompileError as error:
        return None, _reason(error.messages)


def nvcc_links(program: Program, work: Path) -> bool:
    words = [
        _nvcc(),
        "-w",
        "-arch=sm_90",
        "-Xcicc",
        "-O0",
        *program.flags,
        "-Xcompiler",
        "-fopenmp",
    ]
    made = ["-o", str(work / "linked")]
    return process.run([*words, *map(str, program.files), *made], seconds=600).status == 0


def _nvcc() -> str:
    nvcc = nvidia.nvcc()
    if nvcc is None:
        sys.exit("nvcc is not installed here, and it says what counts")
    return str(nvcc)


def _nvcc_refuses(file: Path, flags: Sequence[str]) -> str:
    words = [_nvcc(), "-w", "-arch=sm_90", "-Xcicc", "-O0", "-Xptxas", "-O0", *flags]
    words += ["-cuda", str(file)]
    if file.suffix != ".cu":
        words = [_nvcc(), "-w", *flags, "-E", str(file)]
    finished = process.run([*words, "-o", "/dev/null"], seconds=600, keep=64 * 1024)
    return "" if finished.status == 0 else _reason(finished.output.splitlines()) or "?"


def _reason(lines: Sequence[str]) -> str:
    """The first error, without its place."""
    undefined = next((line for line in lines if "undefined reference" in line), None)
    if undefined:
        return re.sub(r".*undefined", "undefined", undefined)[:160]
    for line in lines:
        if match := re.search(r"(?:error|fatal error)\s*:\s*(.*)", line):
            return match[1].strip()[:160]
    return (lines[0] if lines else "?")[:160]

"""Makes a program of source files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base import process
from tilelab.base.errors import CompileError, UserError
from tilelab.base.text import one_line, printable
from tilelab.pipeline.compiler import messages
from tilelab.programs.linking import NotLinked
from tilelab.programs.said import as_given
from tilelab.programs.tools import Build, Tools

Warn = Callable[[str], None]
CUDA = frozenset((".cu",))
HOST = frozenset((".cpp", ".cc", ".cxx", ".c"))

_WARNING = re.compile(
    r"(.*:\d+): warning: (.*(?= \[-W(?:[a-z-]*uninitialized|format=?)\])|.* does not apply to .*|"
    r"dynamic initialization .*)"
)
# As the emulator compiles programs.
_OF_NVCC = ("-w", "-arch=sm_90", "--extended-lambda")
_SECONDS = 900
_KEPT = 256 * 1024


@dataclass(frozen=True)
class Sources:
    """The files of a program, and the options of the compiler that all of them need."""

    files: Sequence[Path]
    flags: Sequence[str] = ()


def check(files: Sequence[Path]) -> None:
    """Raises UserError unless each file can be read and is one that is compiled."""
    for path in files:
        shown = one_line(str(path))
        if not path.is_file():
            raise UserError(f"{shown}: there is no such file")
        if path.suffix not in CUDA | HOST:
            known = ", ".join(sorted(CUDA | HOST))
            raise UserError(f"{shown} is not a source file: name files that end in {known}")


def _nobody(_: str) -> None:
    pass


def compile_program(
    sources: Sources, tools: Tools, work: Path, *, checked: bool, warn: Warn = _nobody
) -> Path:
    """Returns the program, a file in the folder `work`.

    Hands on what the compilers say of variables that are not set. Raises CompileError with what
    they have against the program, NotLinked if only the linker does.
    """
    build = tools.build(checked=checked)
    environment = tools.backend.environment()
    threads = _openmp(tools) if any(map(_uses_openmp, sources.files)) else []

    # Files of the same name may come from different folders.
    objects = [work / f"{number}-{file.stem}.o" for number, file in enumerate(sources.files)]
    names = {str(made): str(file) for file, made in zip(sources.files, objects, strict=True)}
    names |= {str(source.resolve()): str(source) for source in sources.files}

    def make(source: Path, made: Path) -> None:
        for line in _compile(source, made, [*sources.flags, *threads], build, environment, names):
            warn(line)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(make, sources.files, objects))
    program = work / sources.files[0].stem
    argv = _filled(
        build.link, {"objects": [*map(str, objects), *threads], "program": [str(program)]}
    )
    try:
        _run(argv, environment, names)
    except CompileError as error:
        given = dict(zip(objects, map(str, sources.files), strict=True))
        raise NotLinked(error, given) from error
    return program


def _openmp(tools: Tools) -> list[str]:
    """The flag of the host's compiler, which nvcc hands on."""
    return ["-Xcompiler=-fopenmp"] if tools.backend.is_referee else ["-fopenmp"]


def _uses_openmp(source: Path) -> bool:
    text = source.read_text(encoding="utf-8", errors="replace")
    return re.search(r"^\s*#\s*include\s*<omp\.h>", text, re.MULTILINE) is not None


def _compile(
    source: Path,
    made: Path,
    flags: Sequence[str],
    build: Build,
    environment: Mapping[str, str],
    names: Mapping[str, str],
) -> list[str]:
    """Returns the compiler's warnings."""
    template = build.cuda if source.suffix in CUDA else build.cxx
    values = {"source": [str(source)], "object": [str(made)], "flags": flags}
    said = _run(_filled(template, values), environment, names)
    return [f"{place}: warning: {what}" for place, what in dict.fromkeys(_WARNING.findall(said))]


def nvcc_accepts(sources: Sources) -> bool:
    """Whether nvcc is here and finds nothing wrong with the CUDA files.

    Then only the emulator can be to blame for an error.
    """
    nvcc = nvidia.nvcc()
    files = [source for source in sources.files if source.suffix in CUDA]
    if nvcc is None or not files:
        return False
    argv = [str(nvcc), *_OF_NVCC, *sources.flags, "-cuda", "-o", "/dev/null"]
    return all(process.run([*argv, file], seconds=_SECONDS).status == 0 for file in files)


def nvcc_joins(sources: Sources, work: Path) -> bool:
    """Whether nvcc is here and makes objects of the files, no two of which define the same."""
    nvcc = nvidia.nvcc()
    if nvcc is None:
        return False
    objects = [work / f"{number}.nvcc.o" for number in range(len(sources.files))]
    argv = [str(nvcc), *_OF_NVCC, *sources.flags, "-c", "-o"]
    pairs = zip(objects, sources.files, strict=True)
    steps: list[list[str | Path]] = [[*argv, made, source] for made, source in pairs]
    steps.append(["ld", "-r", "-o", "/dev/null", *objects])
    return all(process.run(step, seconds=_SECONDS).status == 0 for step in steps)


def _filled(template: Sequence[str], values: Mapping[str, Sequence[str]]) -> list[str]:
    """The command, with each placeholder replaced by its arguments."""
    return [part for word in template for part in values.get(word.strip("{}"), [word])]


def _run(argv: Sequence[str], environment: Mapping[str, str], names: Mapping[str, str]) -> str:
    finished = process.run(argv, seconds=_SECONDS, env=environment, keep=_KEPT)
    if finished.timed_out:
        raise CompileError([f"compiling took longer than {_SECONDS} s"], located=False)
    if finished.status != 0:
        said = as_given(printable(finished.output).splitlines(), names)
        lines = said or ["the compiler failed without a message"]
        raise CompileError([messages.explained(line) for line in lines], located=True)
    return printable(finished.output)

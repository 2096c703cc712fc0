"""The third stage: compiles a text in a jail."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

from tilelab.base import system
from tilelab.base.errors import CompileError, InfraError
from tilelab.base.text import printable, shorten
from tilelab.model.lab import Lab
from tilelab.pipeline.compiler import diagnostics
from tilelab.pipeline.records.stages import Compiled, Inspected
from tilelab.pipeline.records.toolchain import Toolchain, filled
from tilelab.sandbox import jail

_ERROR_LINES = 10


def compile_text(
    inspected: Inspected, toolchain: Toolchain, work: Path, *, all_errors: bool = False
) -> Compiled:
    """Compiles in the empty folder `work`. Raises CompileError or InfraError."""
    lab, template = inspected.lab, toolchain.build.compile
    if all_errors:
        template = [*template, "-fmax-errors=0"]
    compiled, output = run(
        inspected.text, lab, template, toolchain.read_only, work, all_errors=all_errors
    )
    if not compiled.exists() or not stat.S_ISREG(compiled.lstat().st_mode):
        raise InfraError(f"the compiler did not write an object file: {shorten(output, 300)}")
    return Compiled(lab, toolchain, work, compiled, inspected.text)


def run(
    text: str,
    lab: Lab,
    template: list[str],
    readable: list[Path],
    work: Path,
    *,
    in_background: bool = False,
    all_errors: bool = False,
) -> tuple[Path, str]:
    """Runs any compiler on a text. Returns the object's path and what the compiler printed.

    Raises CompileError with the first errors, each once, or with those of all lines; or InfraError
    if the jail's limits cannot be set.
    """
    # The compiler may write to a folder that has only the source. The contract header is alone in
    # another folder, so no other file can be included by its name.
    writable, include = work / "compile", work / "include"
    writable.mkdir()
    include.mkdir()
    shutil.copyfile(lab.header, include / lab.header.name)
    source, compiled = writable / f"{lab.name}.cu", writable / f"{lab.name}.o"
    source.write_text(text, encoding="utf-8", newline="")
    # Compilers start in the source's folder. A name without a folder keeps the name of the build
    # out of __FILE__.
    argv = filled(template, source=Path(source.name), object=compiled, include=include)
    finished = jail.run_compiler(argv, writable, [*readable, include], in_background=in_background)
    if finished.timed_out and system.is_busy():
        raise InfraError(
            f"compiling took longer than {jail.COMPILE_SECONDS} s on this machine, which is busy."
        )
    if sentence := jail.explain_limit(finished):
        raise CompileError([sentence], located=False)
    output = _readable(finished.output, {f"{writable}/": "", f"{include}/": ""})
    if finished.status != 0:
        errors = diagnostics.errors(output, lab.name)
        if not all_errors:
            errors = diagnostics.told_once(errors)[:_ERROR_LINES]
        elif not errors:
            errors = diagnostics.places(output, lab.name)
        raise CompileError(errors or _last_words(output), located=bool(errors))
    return compiled, output


def _readable(output: str, names: dict[str, str]) -> str:
    for path, shown in names.items():
        output = output.replace(path, shown)
    return printable(output)


def _last_words(output: str) -> list[str]:
    """The output of a compiler that died without naming a line."""
    lines = [shorten(line.rstrip(), 300) for line in output.splitlines() if line.strip()]
    return lines[:_ERROR_LINES] or ["The compiler failed without a message."]

"""Makes a worker program from a clean source file: compile, check, localize, link."""

from __future__ import annotations

import re
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

from tilelab.base import system
from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.base.text import printable, shorten
from tilelab.model.lab import Lab
from tilelab.pipeline.compiler import messages, nvcc_messages
from tilelab.pipeline.harness.toolchain import Toolchain
from tilelab.pipeline.objects import check
from tilelab.pipeline.texts import rules
from tilelab.sandbox import jail

_ERROR_LINES = 10
_TOO_LARGE = re.compile(
    r"truncated to fit|too large|will not fit|out of range|overflow|failed to convert GOTPCREL"
)


def source_in(work: Path, lab: Lab) -> Path:
    """The path of the source file that make_worker() compiles."""
    return work / "compile" / f"{lab.name}.cu"


def make_worker(text: str, lab: Lab, toolchain: Toolchain, work: Path) -> Path:
    """Builds the worker of one submission in the empty folder `work`.

    Raises Rejected, CompileError or InfraError.
    """
    compiled = compile_submission(text, lab, toolchain, work)
    return link_worker(compiled, lab, toolchain, work)


def compile_submission(text: str, lab: Lab, toolchain: Toolchain, work: Path) -> Path:
    """An object that defines the lab's functions and nothing else that others could see.

    Raises Rejected, CompileError or InfraError.
    """
    if problems := rules.check(text, lab.name):
        raise Rejected(*problems)
    compiled = _compile(text, lab, toolchain, work)
    entries = check.wanted_entries(toolchain.dispatch_object(lab.name))
    allowed = toolchain.backend.symbols()
    checked = toolchain.build.is_checked
    check.check(compiled, entries, f"{lab.name}.cu", allowed, checked=checked)
    localize(compiled, [*entries, *allowed.kept])
    return compiled


def link_worker(compiled: Path, lab: Lab, toolchain: Toolchain, work: Path) -> Path:
    """Makes a worker of an object with the lab's functions. Raises CompileError or InfraError."""
    worker = link(compiled, toolchain.dispatch_object(lab.name), toolchain, work)
    _write_jail(worker, toolchain)
    return worker


def _write_jail(worker: Path, toolchain: Toolchain) -> None:
    """Writes WORKER.jail, the command line that the judge puts before the worker's."""
    words = jail.run_jail(worker, toolchain.confine, toolchain.read_only, toolchain.backend)
    path = worker.with_name(worker.name + ".jail")
    if words:
        path.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def _compile(text: str, lab: Lab, toolchain: Toolchain, work: Path) -> Path:
    compiled, output = run_compiler(text, lab, toolchain.build.compile, toolchain.read_only, work)
    if not compiled.exists() or not stat.S_ISREG(compiled.lstat().st_mode):
        raise InfraError(f"the compiler did not write an object file: {shorten(output, 300)}")
    return compiled


def run_compiler(
    text: str,
    lab: Lab,
    template: list[str],
    readable: list[Path],
    work: Path,
    *,
    in_background: bool = False,
) -> tuple[Path, str]:
    """Compiles a submission in a jail. Returns the object's path and what the compiler printed.

    Raises CompileError, or InfraError if the jail's limits cannot be set.
    """
    # The compiler may write to a folder that has only the source. The contract header is alone in
    # another folder, so no other file can be included by its name.
    writable, include = work / "compile", work / "include"
    writable.mkdir()
    include.mkdir()
    shutil.copyfile(lab.header, include / lab.header.name)
    source, compiled = source_in(work, lab), writable / f"{lab.name}.o"
    source.write_text(text, encoding="utf-8", newline="")
    # Compilers start in the source's folder. A name without a folder keeps the name of the build
    # out of __FILE__.
    argv = _fill(template, source=Path(source.name), object=compiled, include=include)
    finished = jail.run_compiler(argv, writable, [*readable, include], in_background=in_background)
    if finished.timed_out and system.is_busy():
        raise InfraError(
            f"compiling took longer than {jail.COMPILE_SECONDS} s on this machine, which is busy."
        )
    if sentence := jail.explain_limit(finished):
        raise CompileError([sentence], located=False)
    output = _readable(finished.output, {f"{writable}/": "", f"{include}/": ""})
    if finished.status != 0:
        errors = _error_lines(output, lab.name)
        raise CompileError(errors or _last_words(output), located=bool(errors))
    return compiled, output


def localize(compiled: Path, kept: list[str]) -> None:
    """Keeps a submission from replacing functions of the worker or of a library."""
    # Inline functions come in groups. The linker keeps one copy of a group for all objects, and
    # that must not be a copy whose functions are now local. So the groups are dissolved first.
    dissolved = compiled.with_suffix(".dissolved.o")
    words = ["ld", "-r", "--force-group-allocation", str(compiled), "-o", str(dissolved)]
    _tool(words, compiled.parent)
    dissolved.replace(compiled)
    keep = [f"--keep-global-symbol={name}" for name in kept]
    _tool(["objcopy", "--wildcard", *keep, str(compiled)], compiled.parent)


def link(compiled: Path, dispatch: Path, toolchain: Toolchain, work: Path) -> Path:
    """Makes a program of an object and of one that calls it. Raises CompileError or InfraError."""
    # A folder of its own, because the jail of one worker must not show it another worker.
    folder = work / "worker"
    folder.mkdir()
    worker = folder / "worker"
    words = _fill(toolchain.build.link, object=compiled, dispatch=dispatch, worker=worker)
    # The jail shows the system's own files anyway.
    files = [Path(word) for word in words if re.match(r"/(?!usr/)", word) and word != str(worker)]
    _tool(words, folder, [*toolchain.read_only, *files])
    return worker


def _tool(words: list[str], work: Path, readable: Sequence[Path] = ()) -> None:
    """Runs a program on a compiled submission. If it fails, the submission may be to blame."""
    finished = jail.run_compiler(words, work, readable)
    if finished.timed_out:
        raise InfraError(f"{words[0]} did not end within {jail.COMPILE_SECONDS} s.")
    if finished.status == 0:
        return
    output = printable(finished.output.strip())
    if _TOO_LARGE.search(output):
        sentence = (
            "Linking failed because the global arrays take too much memory: keep large arrays in "
            "memory from cudaMalloc()."
        )
    else:
        sentence = f"The compiled file cannot be linked: {shorten(output, 300)}"
    raise CompileError([sentence], located=False)


def _fill(template: list[str], **paths: Path) -> list[str]:
    words = []
    for word in template:
        for name, path in paths.items():
            word = word.replace(f"{{{name}}}", str(path))
        words.append(word)
    return words


def _readable(output: str, names: dict[str, str]) -> str:
    for path, shown in names.items():
        output = output.replace(path, shown)
    return printable(output)


def _error_lines(output: str, lab: str) -> list[str]:
    """The errors that name a line of the submission, in the form FILE:LINE: text."""
    lines = [re.sub(r"^([\w.]+)\((\d+)\):", r"\1:\2:", line) for line in output.splitlines()]
    located = re.compile(rf"{lab}\.(cu|h):\d+:")
    no_error = re.compile(r"\b(warning|note|remark|required from)\b")
    errors = [line for line in lines if located.match(line) and not no_error.search(line)]
    explained = [messages.explained(nvcc_messages.explained(line.rstrip())) for line in errors]
    return [shorten(line, 300) for line in explained[:_ERROR_LINES]]


def _last_words(output: str) -> list[str]:
    """The output of a compiler that died without naming a line."""
    lines = [shorten(line.rstrip(), 300) for line in output.splitlines() if line.strip()]
    return lines[:_ERROR_LINES] or ["The compiler failed without a message."]

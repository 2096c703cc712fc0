"""Makes sure that all compilers get the same program out of a submission's text.

The preprocessor runs once for each compiler that may read the text, with the macros that this
compiler would define. What is left of the text must be the same each time. Then the macros are
expanded, and the rules for words apply to the result: it shows what a macro puts together.
"""

from __future__ import annotations

import bisect
import functools
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import CompileError, InfraError
from tilelab.base.files import work_folder
from tilelab.base.repository import REPO
from tilelab.base.text import printable, shorten
from tilelab.pipeline import rules
from tilelab.pipeline.program import language
from tilelab.pipeline.program.tokens import Program, parse
from tilelab.pipeline.toolchain import Toolchain
from tilelab.sandbox import jail
from tilelab.score.lab import Lab

_COMPILERS = Path(__file__).with_name("compilers")
_EMULATOR = REPO / "common" / "emulator" / "include"
_ARCHITECTURES = (750, 800, 860, 870, 880, 890, 900, 1000, 1010, 1030, 1100, 1200, 1210)
_MOST_BYTES = 4 * 1024 * 1024
_ADVICE = "a submission must be the same program for all compilers"

# Runs the preprocessor $1 with the options of each further argument, and writes NAME.out and
# NAME.log. A file that it could not finish is removed.
_SCRIPT = """
cxx=$1; shift; ulimit -f 16384
while [ $# -gt 0 ]; do
  name=$1 options=$2; shift 2
  "$cxx" -std=c++20 -w -E -D__CUDACC__ $options -o $name.out 2>$name.log || rm -f $name.out
done
"""


@dataclass(frozen=True)
class Reader:
    """A compiler that may read the text. `options` are g++'s, to act like it."""

    name: str
    shown: str
    options: str

    @staticmethod
    def of(name: str, shown: str, *macros: str, extra: str = "") -> Reader:
        included = " ".join(f"-imacros {header}.h" for header in macros)
        return Reader(name, shown, f"{extra} {included}")


_READERS = (
    Reader.of("emulator", "the emulator's compiler", "base"),
    Reader.of("gcc", "g++", "base", "gcc"),
    Reader.of("clang", "clang", "base", "clang"),
    Reader.of("sanitizer", "a checked build", "base", "sanitizer"),
    Reader.of("nvcc", "nvcc's pass for the host", "base", "nvcc"),
)
_BARE = Reader.of("bare", "a compiler without a name", "base", "bare", extra="-undef")


@dataclass(frozen=True)
class Reading:
    """A sentence for each rule that the program breaks, or what ended the preprocessor."""

    problems: list[str]
    error: CompileError | None = None


class _Stopped(Exception):
    """The preprocessor found an error in `line` that every compiler should find."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why


def check(text: str, lab: Lab, toolchain: Toolchain, work: Path) -> Reading:
    """Reads a text as each of the compilers does. `work` is an empty folder.

    Raises InfraError.
    """
    # clang cannot evaluate conditions without expanding macros, so g++ acts like clang.
    gxx = shutil.which("g++") if "Clang" in toolchain.compiler else toolchain.cxx
    cxx = gxx or toolchain.cxx
    try:
        return Reading(_check(text, lab, cxx, gxx is not None, toolchain.read_only, work))
    except _Stopped as stop:
        return Reading(
            [], CompileError([f"{lab.name}.cu:{stop.line}: error: {stop.why}"], located=True)
        )


def _check(
    text: str, lab: Lab, cxx: str, can_compare: bool, readable: Sequence[Path], work: Path
) -> list[str]:
    program = parse(text)
    if not _needs_preprocessor(program):
        return []
    (work / f"{lab.name}.cu").write_text(text, encoding="utf-8", newline="")
    for header in _COMPILERS.glob("*.h"):
        (work / header.name).write_bytes(header.read_bytes())
    headers = tuple(sorted(set(rules.headers(program)) - {"", f"{lab.name}.h"}))
    compares = can_compare and _has_conditions(program)
    macros = _macros_of_headers(cxx, headers, tuple(readable)) if compares else {}
    _write_stubs(work, lab, headers, macros)
    found = [*_compare(program, lab, cxx, readable, work)] if compares else []
    found += _check_expanded(lab, cxx, readable, work)
    sentences = [f"{lab.name}.cu:{line}: {sentence}." for line, sentence in found]
    return list(dict.fromkeys(sentences))


def _needs_preprocessor(program: Program) -> bool:
    """Whether the compiler sees other tokens than the scan of the text did."""
    plain = ("include", "pragma", "error", "warning")
    macros = (d.name and d.name.text not in plain for d in program.directives)
    return any(macros) or any(token.text == "_Pragma" for token in program.code)


def _has_conditions(program: Program) -> bool:
    return any(d.name and d.name.text in language.CONDITIONS for d in program.directives)


@functools.cache
def _macros_of_headers(
    cxx: str, headers: tuple[str, ...], readable: tuple[Path, ...]
) -> dict[str, str]:
    """The lines that define the macros of the emulator's cuda_runtime.h, and of each header."""
    with work_folder() as work:
        jobs = []
        for i, header in enumerate(("cuda_runtime.h", *headers)):
            (work / f"{i}.cpp").write_text(f"#include <{header}>\n", encoding="utf-8")
            jobs.append(Reader(str(i), header, f"-dD -isystem {_EMULATOR} -x c++ {i}.cpp"))
        _run(jobs, cxx, [*readable, _EMULATOR], work)
        return {job.shown: _definitions(work / f"{job.name}.out") for job in jobs}


def _definitions(output: Path) -> str:
    try:
        text = output.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InfraError(f"the preprocessor failed on the system's headers: {error}.") from error
    lines = re.findall(r"^#(?:define|undef) .*$", text, re.MULTILINE)
    return "#pragma once\n" + "".join(f"{line}\n" for line in lines)


def _write_stubs(work: Path, lab: Lab, headers: Sequence[str], macros: dict[str, str]) -> None:
    """Headers that only define macros, so that preprocessing the text takes no time."""
    stubs = work / "stubs"
    stubs.mkdir()
    for header in headers:
        (stubs / header).write_text(macros.get(header, ""), encoding="utf-8")
    defined = re.findall(r"^#define.*(?:\\\n.*)*$", lab.header.read_text("utf-8"), re.MULTILINE)
    (stubs / lab.header.name).write_text("#pragma once\n" + "\n".join(defined) + "\n", "utf-8")
    (work / "base.h").write_text(macros.get("cuda_runtime.h", ""), encoding="utf-8")


def _compare(
    program: Program, lab: Lab, cxx: str, readable: Sequence[Path], work: Path
) -> Iterator[tuple[int, str]]:
    readers = [*_READERS, *_devices(program), _BARE]
    source = f"-fdirectives-only -nostdinc -Istubs -x c++ {lab.name}.cu"
    jobs = [Reader(r.name, r.shown, f"{r.options} {source}") for r in readers]
    _run(jobs, cxx, readable, work)
    first, *others = ((r, _what_is_left(work, r, lab.name)) for r in readers)
    for other in others:
        if problem := _difference(first, other):
            yield problem
            return


def _devices(program: Program) -> Iterator[Reader]:
    """nvcc's passes for the device: one, unless the text may ask for the architecture."""
    asks = any("ARCH" in token.text for d in program.directives for token in d.rest)
    pastes = any(token.text in ("#", "%:") for d in program.directives for token in d.rest)
    for number in _ARCHITECTURES if asks or pastes else (900,):
        define = f"-D__CUDA_ARCH__={number}"
        shown = f"nvcc's pass for the device (sm_{number // 10})"
        yield Reader.of(f"sm_{number}", shown, "base", "nvcc", "nvcc_device", extra=define)


def _run(jobs: Sequence[Reader], cxx: str, readable: Sequence[Path], work: Path) -> None:
    words = [word for job in jobs for word in (job.name, job.options)]
    # What it could not finish in time is missing afterwards.
    jail.run_compiler(["/bin/sh", "-c", _SCRIPT, "sh", cxx, *words], work, readable)


@dataclass(frozen=True)
class _Left:
    """What is left of the text behind all conditions, or the error that ended the preprocessor."""

    lines: list[tuple[int, str]]
    error: tuple[int, str] | None = None


def _what_is_left(work: Path, reader: Reader, lab: str) -> _Left:
    output = work / f"{reader.name}.out"
    if not output.exists():
        return _Left([], _error(work / f"{reader.name}.log", lab))
    text = _read(output)
    lines: list[tuple[int, str]] = []
    number = 0
    start = text.find(f'\n# 1 "{lab}.cu"')
    for line in text[start + 1 :].splitlines():
        if marker := re.match(r'# (\d+) "', line):
            number = int(marker[1])
            continue
        if line.strip():
            lines.append((number, line))
        number += 1
    return _Left(lines)


def _error(log: Path, lab: str) -> tuple[int, str]:
    text = printable(log.read_text(encoding="utf-8", errors="replace")) if log.exists() else ""
    found = re.search(rf"{re.escape(lab)}\.cu:(\d+):(?:\d+:)? (?:fatal )?error: (.*)", text)
    return (int(found[1]), shorten(found[2], 200)) if found else (1, "it takes too long")


def _read(output: Path) -> str:
    with output.open(encoding="utf-8", errors="replace") as file:
        return file.read(_MOST_BYTES)


def _difference(first: tuple[Reader, _Left], other: tuple[Reader, _Left]) -> tuple[int, str] | None:
    """The first line that two compilers read differently, and a sentence about it."""
    (reader, left), (other_reader, other_left) = first, other
    if left.error:
        raise _Stopped(*left.error)
    if other_left.error:
        line, why = other_left.error
        return line, f"{other_reader.shown} stops here ({why}), {reader.shown} does not: {_ADVICE}"
    end = (1 << 30, "")
    for one, two in zip([*left.lines, end], [*other_left.lines, end], strict=False):
        if one[1] == two[1]:
            continue
        line = min(one[0], two[0])
        if one[0] == two[0]:
            return line, f"{reader.shown} and {other_reader.shown} read this line differently"
        who, not_who = (reader, other_reader) if one[0] == line else (other_reader, reader)
        return line, (
            f"{who.shown} compiles this line, {not_who.shown} does not: {_ADVICE}. "
            "Remove the condition (#if) that tells them apart"
        )
    return None


def _check_expanded(
    lab: Lab, cxx: str, readable: Sequence[Path], work: Path
) -> Iterator[tuple[int, str]]:
    reader = Reader.of("expanded", "", "bare", extra="-undef")
    for stub in (work / "stubs").iterdir():
        stub.write_bytes(b"")  # so that the headers' own macros remain as they are written
    source = f"{reader.options} -nostdinc -Istubs -x c++ {lab.name}.cu"
    _run([Reader(reader.name, "", source)], cxx, readable, work)
    output = work / "expanded.out"
    if not output.exists():
        raise _Stopped(*_error(work / "expanded.log", lab.name))
    text = _read(output)
    if len(text) >= _MOST_BYTES:
        yield 1, f"the program has more than {_MOST_BYTES // 1024**2} MiB after preprocessing"
        return
    expanded = parse(text)
    markers = [
        (d.name.line, int(d.name.text))
        for d in expanded.directives
        if d.name and d.name.text.isdecimal()
    ]
    for line, sentence in language.check(expanded):
        at = bisect.bisect_left(markers, (line,)) - 1
        origin = markers[at][1] + line - markers[at][0] - 1 if at >= 0 else line
        yield origin, sentence

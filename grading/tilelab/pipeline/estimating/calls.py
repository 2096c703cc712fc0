"""A main function that records calls of a lab's functions.

It does not depend on the submission, so it is compiled once and kept.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from tilelab.base.errors import InfraError
from tilelab.base.files import work_folder, write_atomically
from tilelab.base.repository import BUILD, REPO
from tilelab.base.text import shorten
from tilelab.model.lab import Lab
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.sandbox import jail

_COMMON = REPO / "common"
_EMULATOR = REPO / "common/emulator"
_KEPT = BUILD / "calls"
# What an argument that is an array begins with, as common/emulator/recording.h declares it.
_ARRAY = re.compile(r"(?:bits|fractions|scratch|units|zeros)\(")


def main_of(lab: Lab, calls: tuple[str, ...], toolchain: Toolchain) -> Path:
    """The object of a main function that records one of the calls. Raises InfraError."""
    digest = hashlib.sha256()
    recording = (_EMULATOR / "recording.h").read_text(encoding="utf-8")
    header = lab.header.read_text(encoding="utf-8")
    for part in (_main(lab, calls), header, recording, toolchain.cxx, toolchain.compiler):
        digest.update(part.encode() + b"\0")
    kept = _KEPT / f"{lab.name}-{digest.hexdigest()[:16]}.o"
    if not kept.is_file():
        _KEPT.mkdir(parents=True, exist_ok=True)
        with work_folder() as work:
            write_atomically(kept, main_once(lab, calls, toolchain, work).read_bytes())
    return kept


def main_once(lab: Lab, calls: tuple[str, ...], toolchain: Toolchain, work: Path) -> Path:
    """The same in `work`, for calls that nobody makes again. Raises InfraError."""
    source, made = work / f"{lab.name}_calls.cpp", work / f"{lab.name}_calls.o"
    source.write_text(_main(lab, calls), encoding="utf-8")
    folder = lab.header.parent
    argv = [toolchain.cxx, "-std=c++20", "-w", "-O1", "-I", str(_COMMON), "-I", str(folder)]
    argv += ["-isystem", str(_EMULATOR / "include"), "-c", str(source), "-o", str(made)]
    finished = jail.run_compiler(argv, work, [*toolchain.read_only, _COMMON, folder])
    if finished.status != 0:
        raise InfraError(f"{source.name}: {shorten(finished.output.strip(), 200)}")
    return made


def parts_of(call: str) -> tuple[str, tuple[str, ...]]:
    """The function of a call in C++, and its arguments."""
    function, _, arguments = call.strip().removesuffix(")").partition("(")
    return function, tuple(_arguments(arguments))


def _arguments(text: str) -> Iterator[str]:
    depth = begin = 0
    for at, character in enumerate(text):
        depth += (character in "({[") - (character in ")}]")
        if character == "," and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1
    if text.strip():
        yield text[begin:].strip()


def is_array(argument: str) -> bool:
    return _ARRAY.match(argument) is not None


def _statements(call: str) -> str:
    """Makes the arrays in the order of the parameters, whatever the compiler, and the call."""
    function, arguments = parts_of(call)
    made, passed = "", []
    for number, argument in enumerate(arguments):
        passed.append(f"array{number}" if is_array(argument) else argument)
        if is_array(argument):
            made += f"const auto array{number} = {argument}; "
    return f"{{ {made}forget(); {function}({', '.join(passed)}); }}"


def _main(lab: Lab, calls: tuple[str, ...]) -> str:
    cases = "".join(
        f"    case {i}:\n      {_statements(call)}\n      break;\n" for i, call in enumerate(calls)
    )
    return (
        f'#include "{lab.header.name}"\n#include "emulator/recording.h"\n\n'
        "int main() {\n  using namespace tilelab::emulator::recording;\n"
        f"  switch (begin()) {{\n{cases}  }}\n  finish();\n}}\n"
    )

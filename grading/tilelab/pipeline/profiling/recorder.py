"""The objects that a submission is linked with, so that it writes its launches down.

They do not depend on the submission, so they are compiled once and kept.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.base.errors import InfraError
from tilelab.base.files import work_folder, write_atomically
from tilelab.base.repository import BUILD, REPO
from tilelab.base.text import shorten
from tilelab.model.lab import Lab
from tilelab.pipeline.profiling.machine_code import STANDARD
from tilelab.sandbox import jail

_COMMON = REPO / "common"
_RECORDER = _COMMON / "recorder"
_KEPT = BUILD / "recorder"


def runtime(nvcc: Path) -> Path:
    """A CUDA runtime that launches nothing. Raises InfraError."""
    text = (_RECORDER / "runtime.cpp").read_text(encoding="utf-8")
    return _kept("runtime", text, "", [], nvcc)


def main_of(lab: Lab, calls: tuple[str, ...], nvcc: Path) -> Path:
    """A main function that makes one of the lab's calls. Raises InfraError."""
    header = lab.header.read_text(encoding="utf-8")
    return _kept(f"{lab.name}_calls", _main(lab, calls), header, [lab.header.parent], nvcc)


def main_once(lab: Lab, calls: tuple[str, ...], nvcc: Path, work: Path) -> Path:
    """The same in `work`, for calls that nobody makes again. Raises InfraError."""
    return _compile(f"{lab.name}_calls", _main(lab, calls), [lab.header.parent], nvcc, work)


def _main(lab: Lab, calls: tuple[str, ...]) -> str:
    cases = "".join(f"    case {i}:\n      {call};\n      break;\n" for i, call in enumerate(calls))
    return (
        "#include <cuda_runtime.h>\n\n"
        f'#include "{lab.header.name}"\n#include "recorder/arguments.h"\n\n'
        "int main() {\n  using namespace tilelab::recorder;\n"
        f"  switch (begin()) {{\n{cases}  }}\n  finish();\n}}\n"
    )


def _kept(name: str, text: str, header: str, folders: list[Path], nvcc: Path) -> Path:
    """The object of a file of host code."""
    arguments = (_RECORDER / "arguments.h").read_text(encoding="utf-8")
    host = nvidia.host_compiler()
    compiler = f"{nvcc} {nvidia.nvcc_version()} {host} {system.version(host)}"
    digest = hashlib.sha256("\0".join((text, header, arguments, compiler)).encode()).hexdigest()
    kept = _KEPT / f"{name}-{digest[:16]}.o"
    if not kept.is_file():
        _KEPT.mkdir(parents=True, exist_ok=True)
        with work_folder() as work:
            write_atomically(kept, _compile(name, text, folders, nvcc, work).read_bytes())
    return kept


def _compile(name: str, text: str, folders: list[Path], nvcc: Path, work: Path) -> Path:
    source, made = work / f"{name}.cpp", work / f"{name}.o"
    source.write_text(text, encoding="utf-8")
    included = [word for folder in [_COMMON, *folders] for word in ("-I", str(folder))]
    words = [str(nvcc), "-ccbin", nvidia.host_compiler(), "-std=c++20", "-w", "-O1", *included]
    words += ["-isystem", str(STANDARD), "-c", str(source), "-o", str(made)]
    readable = [*nvidia.installation(nvcc), STANDARD, _COMMON, *folders]
    finished = jail.run_compiler(words, work, readable)
    if finished.status != 0:
        raise InfraError(f"{name}.cpp: {shorten(finished.output.strip(), 200)}")
    return made

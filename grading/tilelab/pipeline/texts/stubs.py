"""Headers that only define macros, so that preprocessing a submission takes no time."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from tilelab.base.errors import InfraError
from tilelab.base.files import work_folder
from tilelab.base.repository import REPO
from tilelab.pipeline.texts import compilers
from tilelab.pipeline.texts.compilers import Reader

_EMULATOR = REPO / "common/emulator/include"


@functools.cache
def macros_of(cxx: str, headers: tuple[str, ...], readable: tuple[Path, ...]) -> Mapping[str, str]:
    """The lines that define the macros of the emulator's cuda_runtime.h, and of each header.

    Raises InfraError.
    """
    with work_folder() as work:
        jobs = []
        for i, header in enumerate(("cuda_runtime.h", *headers)):
            (work / f"{i}.cpp").write_text(f"#include <{header}>\n", encoding="utf-8")
            jobs.append(Reader(str(i), header, f"-dD -isystem {_EMULATOR} -x c++ {i}.cpp"))
        compilers.run(jobs, cxx, [*readable, _EMULATOR], work)
        return {job.shown: _definitions(work / f"{job.name}.out") for job in jobs}


def _definitions(output: Path) -> str:
    try:
        text = output.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InfraError(f"the preprocessor failed on the system's headers: {error}.") from error
    lines = re.findall(r"^#(?:define|undef) .*$", text, re.MULTILINE)
    return "".join(f"{line}\n" for line in lines)


def write(folder: Path, headers: tuple[str, ...], macros: Mapping[str, str]) -> None:
    """Writes a stub of each header. Without macros they are empty."""
    folder.mkdir()
    for header in headers:
        lines = macros.get(header, "")
        if (_EMULATOR / header).exists():
            # What else the emulator's headers include is not there in CUDA's.
            lines = "".join(re.findall(r"^#define CUDART_(?!VERSION).*\n", lines, re.MULTILINE))
        (folder / header).parent.mkdir(parents=True, exist_ok=True)
        (folder / header).write_text(f"#pragma once\n{lines}", encoding="utf-8")


def write_contract(folder: Path, contract: Path) -> None:
    """Writes a stub of a lab's header."""
    text = contract.read_text(encoding="utf-8")
    lines = re.findall(r"^#define.*(?:\\\n.*)*\n", text, re.MULTILINE)
    (folder / contract.name).write_text("#pragma once\n" + "".join(lines), encoding="utf-8")

"""Precompiles cuda_runtime.h for the compiler of this machine, as CMake does in a build folder."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from tilelab.base import locks, process, system
from tilelab.base.repository import BUILD
from tilelab.pipeline.harness import sources

_SECONDS = 600


def folder(installed: Path, cxx: str) -> Path:
    """Where the header is kept for one compiler and one version of the installed harness."""
    made_of = f"{cxx} {system.output(cxx, '--version')} {sources.text(installed)}"
    return BUILD / "precompiled" / hashlib.sha256(made_of.encode()).hexdigest()[:16]


def make(installed: Path, home: Path, cxx: str) -> None:
    """Makes it once. If that fails, g++ reads the header itself for each submission."""
    kept = folder(installed, cxx)
    with locks.exclusive(kept.with_suffix(".lock")):
        if kept.is_dir():
            return
        work = kept.with_suffix(".new")
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        # Where a file includes the header once more, g++ looks for it here.
        (work / "cuda_runtime.h").write_text("#include_next <cuda_runtime.h>\n", encoding="utf-8")
        emulator = home / "common/emulator"
        source, made = emulator / "include" / "cuda_runtime.h", work / "cuda_runtime.h.gch"
        tools = (cxx, installed / "bin" / "launch_rewriter")
        argv = ("sh", emulator / "compile.sh", "--checked", *tools, source, made)
        process.run(argv, seconds=_SECONDS)
        os.replace(work, kept)

"""Downloads nvcc where there is no CUDA Toolkit, so that it refuses the same files everywhere.

The launcher runs this once, and again for `doctor`. A machine that cannot get nvcc goes on without.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base import package_index, pip, process, system
from tilelab.base.repository import MARKER, STATE

ASKED = nvidia.WHEELS / "asked"  # tells the launcher that this has run
_SECONDS = 1800
_LICENSE = "https://docs.nvidia.com/cuda/eula/"


def main() -> None:
    """Gets nvcc unless it is there or declined, and notes that this was tried."""
    if nvidia.is_declined() or not os.access(STATE, os.W_OK):
        return
    if nvidia.nvcc() is None:
        _say("there is no nvcc here. It finds errors that g++ does not see.")
        _say("downloading it from PyPI: 140 MB, 275 MB on disk, no GPU and no driver needed")
        _say(f"NVIDIA's license applies ({_LICENSE}). TILELAB_NVCC=none declines.")
        if problem := install(nvidia.WHEELS):
            _say(f"continuing without nvcc: {problem}. `./tilelab doctor` tries again.")
    if _is_ours(nvidia.WHEELS):
        _make(nvidia.WHEELS)
        ASKED.touch()


def install(folder: Path) -> str | None:
    """Puts a working nvcc into `folder`, in one step. Returns what went wrong, None if nothing."""
    new = folder.with_name(f"{folder.name}.new")
    for one in (folder, new):
        if not _is_ours(one):
            return f"TileLab did not make {one}, so it will not touch it. Move it away"
    try:
        _remove(new)
        _make(new)
        problem = _download(new) or _complete(new)
        if problem is None:
            _remove(folder)
            new.rename(folder)
    except OSError as error:
        problem = f"{error.filename or folder}: {error.strerror}"
    with contextlib.suppress(OSError):
        _remove(new)
    return problem


def _is_ours(folder: Path) -> bool:
    """Whether we may change a folder: there is none yet, or we made it."""
    return not folder.exists() or (folder / MARKER).exists() or not any(folder.iterdir())


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).touch()


def _remove(folder: Path) -> None:
    """Removes a folder of ours. Its marker goes last: this may be interrupted at any time."""
    if not folder.exists():
        return
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != MARKER:
            path.unlink()
    (folder / MARKER).unlink(missing_ok=True)
    folder.rmdir()


def _download(folder: Path) -> str | None:
    with tempfile.TemporaryDirectory(prefix="tilelab-") as work:
        starts_pip = _pip(Path(work))
        if starts_pip is None:
            return "there is no pip. Install python3-pip, or the CUDA Toolkit"
        finished = pip.install("nvcc", seconds=_SECONDS, into=folder, pip=starts_pip)
    if finished.timed_out:
        return f"the download took longer than {_SECONDS // 60} minutes"
    if finished.status == 0:
        return None
    return f"pip could not download it ({package_index.problem(finished.output)})"


def _pip(work: Path) -> list[str] | None:
    """A command line that starts pip, from an environment in `work` if there is no other."""
    if system.output(*pip.OWN, "--version"):
        return [*pip.OWN]
    made = subprocess.run(
        [sys.executable, "-m", "venv", str(work / "venv")], capture_output=True, check=False
    )
    return [str(work / "venv" / "bin" / "python"), "-m", "pip"] if made.returncode == 0 else None


def _complete(folder: Path) -> str | None:
    """Adds what CMake looks for, and compiles a kernel."""
    compiler = next(folder.glob("nvidia/*/bin/nvcc"), None)
    if compiler is None:
        return "its packages hold no nvcc"
    _name_as_toolkits_do(compiler.parent.parent)
    source = folder / "empty.cu"
    source.write_text("__global__ void empty() {}\n", encoding="utf-8")
    command = [str(compiler), "-arch=sm_90", "-cuda", str(source), "-o", f"{folder}/empty.ii"]
    finished = process.run(command, seconds=300, cwd=folder)
    for left in (source, folder / "empty.ii"):
        left.unlink(missing_ok=True)
    if finished.status == 0:
        return None
    return f"it does not work on this system ({package_index.last_line(finished.output)})"


def _name_as_toolkits_do(toolkit: Path) -> None:
    """Adds the names that wheels lack: the folder lib64, and libraries without a version."""
    (toolkit / "lib64").symlink_to("lib")
    for library in (toolkit / "lib").glob("lib*.so.*"):
        name = library.name.partition(".so.")[0] + ".so"
        library.with_name(name).symlink_to(library.name)


def _say(sentence: str) -> None:
    print(f"tilelab: {sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

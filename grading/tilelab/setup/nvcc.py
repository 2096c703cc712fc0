"""Downloads nvcc where there is no CUDA Toolkit, so that it refuses the same files everywhere.

The launcher runs this once, and again for `doctor`. A machine that cannot get nvcc goes on without.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base import process, system
from tilelab.base.repository import REPO, STATE
from tilelab.base.text import shorten

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
        if problem := install(nvidia.WHEELS, wheels()):
            _say(f"continuing without nvcc: {problem}. `./tilelab doctor` tries again.")
    nvidia.WHEELS.mkdir(exist_ok=True)
    ASKED.touch()


def wheels() -> list[str]:
    """The packages that make up nvcc, in the versions that grading/pyproject.toml pins."""
    text = (REPO / "grading" / "pyproject.toml").read_text(encoding="utf-8")
    packages: list[str] = tomllib.loads(text)["dependency-groups"]["nvcc"]
    return packages


def install(folder: Path, packages: Sequence[str]) -> str | None:
    """Puts a working nvcc into `folder`, in one step. Returns what went wrong, None if nothing."""
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        problem = _download(new, packages) or _complete(new)
        if problem is None:
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
    except OSError as error:
        problem = f"{error.filename or folder}: {error.strerror}"
    shutil.rmtree(new, ignore_errors=True)
    return problem


def _download(folder: Path, packages: Sequence[str]) -> str | None:
    with tempfile.TemporaryDirectory(prefix="tilelab-") as work:
        pip = _pip(Path(work))
        if pip is None:
            return "there is no pip. Install python3-pip, or the CUDA Toolkit"
        options = ["--disable-pip-version-check", "--no-input", "--retries=1", "--timeout=20"]
        where = ["--no-deps", "--only-binary=:all:", "--target", str(folder)]
        command = [*pip, "install", "--quiet", *options, *where, *packages]
        finished = process.run(command, seconds=_SECONDS, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if finished.timed_out:
        return f"the download took longer than {_SECONDS // 60} minutes"
    return None if finished.status == 0 else f"pip could not download it ({_last(finished.output)})"


def _pip(work: Path) -> list[str] | None:
    """A command line that starts pip, from an environment in `work` if there is no other."""
    own = [sys.executable, "-m", "pip"]
    if system.output(*own, "--version"):
        return own
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
    return f"it does not work on this system ({_last(finished.output)})"


def _name_as_toolkits_do(toolkit: Path) -> None:
    """Adds the names that wheels lack: the folder lib64, and libraries without a version."""
    (toolkit / "lib64").symlink_to("lib")
    for library in (toolkit / "lib").glob("lib*.so.*"):
        name = library.name.partition(".so.")[0] + ".so"
        library.with_name(name).symlink_to(library.name)


def _last(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return shorten(lines[-1], 200) if lines else "without a message"


def _say(sentence: str) -> None:
    print(f"tilelab: {sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

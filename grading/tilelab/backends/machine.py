"""What the machine is: GPU, compilers, operating system."""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Gpu:
    name: str
    driver: str
    uuid: str


@functools.cache
def gpu() -> Gpu | None:
    """The NVIDIA GPU that submissions run on, as its driver names it."""
    text = _output("nvidia-smi", "--query-gpu=name,driver_version,uuid", "--format=csv,noheader")
    lines = [line.split(",") for line in text.splitlines()]
    gpus = [Gpu(*(word.strip() for word in words)) for words in lines if len(words) == 3]
    return _chosen(gpus, os.environ.get("CUDA_VISIBLE_DEVICES", "0"))


def _chosen(gpus: Sequence[Gpu], visible: str) -> Gpu | None:
    """The first that CUDA sees: a number, or how a UUID begins; a part of a GPU tells neither."""
    first = visible.partition(",")[0].strip()
    if first.startswith("MIG-"):
        first = "0"
    if first.isdecimal():
        return next(iter(gpus[int(first) :]), None)
    return next((one for one in gpus if first and one.uuid.startswith(first)), None)


@functools.cache
def nvcc() -> Path | None:
    """The CUDA compiler, which installers do not put on the PATH."""
    if found := shutil.which("nvcc"):
        return Path(found)
    for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and os.access(candidate := Path(folder, "bin", "nvcc"), os.X_OK):
            return candidate
    return None


def default_backends() -> list[str]:
    """The emulator, and cuda where a submission can be compiled for a GPU and run on it."""
    return ["emulator", "cuda"] if nvcc() and gpu() else ["emulator"]


def os_name() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()


def version(program: str | Path) -> str | None:
    """The version number that `PROGRAM --version` prints, None if there is no such program."""
    if program == "nvcc" or (isinstance(program, Path) and program.name == "nvcc"):
        match = re.search(r"release (\d+\.\d+)", _output(program, "--version"))
    else:
        match = re.search(r"\d+(?:\.\d+)+", _output(program, "--version"))
    return match[match.lastindex or 0] if match else None


def catch2_version() -> str | None:
    """The version of the Catch2 headers that the default compiler finds."""
    source = (
        "#if __has_include(<catch2/catch_version_macros.hpp>)\n"
        "#include <catch2/catch_version_macros.hpp>\n"
        "#elif __has_include(<catch2/catch.hpp>)\n"
        "#include <catch2/catch.hpp>\n"
        "#endif\n"
        "catch2 CATCH_VERSION_MAJOR CATCH_VERSION_MINOR CATCH_VERSION_PATCH\n"
    )
    for compiler in ("g++", "clang++"):
        text = _output(compiler, "-E", "-P", "-x", "c++", "-std=c++20", "-", source=source)
        if match := re.search(r"catch2 (\d+) (\d+) (\d+)\s*$", text):
            return ".".join(match.groups())
    return None


def _output(program: str | Path, *arguments: str, source: str = "") -> str:
    command: Sequence[str | Path] = (program, *arguments)
    try:
        result = subprocess.run(
            command, input=source, capture_output=True, text=True, errors="replace", timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout if result.returncode == 0 else ""

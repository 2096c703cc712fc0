"""Finds the NVIDIA GPU and nvcc of this machine."""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from tilelab.backends.base import Device
from tilelab.base import system


@functools.cache
def gpu() -> Device | None:
    """The GPU that submissions run on, as its driver names it."""
    text = system.output(
        "nvidia-smi", "--query-gpu=name,driver_version,uuid", "--format=csv,noheader"
    )
    lines = [line.split(",") for line in text.splitlines()]
    found = [Device(*(word.strip() for word in words)) for words in lines if len(words) == 3]
    return _chosen(found, os.environ.get("CUDA_VISIBLE_DEVICES", "0"))


def _chosen(gpus: Sequence[Device], visible: str) -> Device | None:
    """The first GPU that CUDA_VISIBLE_DEVICES names, by number or by the start of a UUID.

    A MIG instance names neither, so the first GPU is used.
    """
    first = visible.partition(",")[0].strip()
    if first.startswith("MIG-"):
        first = "0"
    if first.isdecimal():
        return next(iter(gpus[int(first) :]), None)
    return next((one for one in gpus if first and one.uuid.startswith(first)), None)


@functools.cache
def nvcc() -> Path | None:
    """The path of nvcc, which installers do not put on the PATH."""
    if found := shutil.which("nvcc"):
        return Path(found)
    for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and os.access(candidate := Path(folder, "bin", "nvcc"), os.X_OK):
            return candidate
    return None


def nvcc_version() -> str | None:
    """nvcc's release, None if there is no nvcc."""
    compiler = nvcc()
    match = (
        re.search(r"release (\d+\.\d+)", system.output(compiler, "--version")) if compiler else None
    )
    return match[1] if match else None

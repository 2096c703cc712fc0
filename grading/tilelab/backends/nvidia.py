"""Finds the NVIDIA GPU and nvcc of this machine.

nvcc comes from a CUDA Toolkit or, where there is none, from the wheels that set-up downloads.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tilelab.backends.base import Device
from tilelab.base import system
from tilelab.base.repository import BUILD, REPO

WHEELS = BUILD / "nvcc"
_OF_THE_OWNER = REPO / "build" / "nvcc"
_OLDEST = (12, 0)  # the first release with C++20
# The first driver that runs what the wheels' nvcc compiles.
_WHEELS_NEED_DRIVER = 580


@functools.cache
def gpus() -> tuple[Device, ...]:
    """The GPUs that submissions run on, as their driver names them.

    All are of one kind, that of the first, so that it does not matter which one a submission gets.
    """
    text = system.output(
        "nvidia-smi", "--query-gpu=name,driver_version,uuid", "--format=csv,noheader"
    )
    lines = [line.split(",") for line in text.splitlines()]
    found = [Device(*(word.strip() for word in words)) for words in lines if len(words) == 3]
    usable = _visible(found, os.environ.get("CUDA_VISIBLE_DEVICES"))
    return tuple(one for one in usable if one.name == usable[0].name)


def gpu() -> Device | None:
    """The first GPU that submissions run on."""
    return next(iter(gpus()), None)


def capabilities() -> list[str]:
    """The compute capabilities of this machine's GPUs, as "9.0"."""
    return system.output("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader").split()


def _visible(gpus: Sequence[Device], visible: str | None) -> list[Device]:
    """The GPUs that CUDA_VISIBLE_DEVICES names, by number or by the start of a UUID.

    CUDA ignores what comes after a name that means nothing. A MIG instance names no GPU, so the
    first one is used.
    """
    if visible is None:
        return list(gpus)
    if visible.strip().startswith("MIG-"):
        return list(gpus[:1])
    named = (_named(gpus, word.strip()) for word in visible.split(","))
    return list(dict.fromkeys(_until_unknown(named)))


def _until_unknown(found: Iterable[Device | None]) -> Iterator[Device]:
    for one in found:
        if one is None:
            return
        yield one


def _named(gpus: Sequence[Device], name: str) -> Device | None:
    if name.isdecimal():
        return next(iter(gpus[int(name) :]), None)
    return next((one for one in gpus if name and one.uuid.startswith(name)), None)


def is_declined() -> bool:
    """Whether the user wants no nvcc."""
    return os.environ.get("TILELAB_NVCC") == "none"


@functools.cache
def nvcc() -> Path | None:
    """The path of an nvcc that is new enough, None if there is none or the user declines it."""
    if is_declined():
        return None
    found = next((path for path in _candidates() if (_release(path) or (0,)) >= _OLDEST), None)
    # A real path, because the compile jail has to show its folder. ccache links to itself.
    return found.resolve() if found and found.resolve().name == found.name else found


def host_compiler() -> str:
    """The compiler that nvcc is given for host code."""
    return shutil.which("g++") or shutil.which("clang++") or "g++"


def _candidates() -> Iterator[Path]:
    """Where nvcc may be. Installers do not put it on the PATH."""
    if found := shutil.which("nvcc"):
        yield Path(found)
    for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and os.access(candidate := Path(folder, "bin", "nvcc"), os.X_OK):
            yield candidate
    for wheels in (WHEELS, _OF_THE_OWNER):
        yield from wheels.glob("nvidia/*/bin/nvcc")


@functools.cache
def nvdisasm() -> Path | None:
    """The path of nvdisasm: on the PATH, next to nvcc, or in the Python package of that name."""
    if found := shutil.which("nvdisasm"):
        return Path(found)
    compiler = nvcc()
    candidates = [compiler.resolve().with_name("nvdisasm")] if compiler else []
    for folder in filter(None, [*map(str, (WHEELS, _OF_THE_OWNER)), *sys.path]):
        candidates += sorted(Path(folder).glob("nvidia/*/bin/nvdisasm"))
    return next((path for path in candidates if path.is_file()), None)


def _release(compiler: Path) -> tuple[int, ...] | None:
    """The release of nvcc or nvdisasm, None if it does not even start."""
    match = re.search(r"release (\d+)\.(\d+)", system.output(compiler, "--version"))
    return (int(match[1]), int(match[2])) if match else None


def _is_from_wheels(compiler: Path) -> bool:
    return any(compiler.is_relative_to(folder) for folder in (WHEELS, _OF_THE_OWNER))


def installation(compiler: Path) -> list[Path]:
    """The folder that nvcc is installed in, for the compile jail, which shows /usr in any case.

    Empty if that is no toolkit's folder: a script called nvcc can lie in a user's own.
    """
    folder = compiler.parent.parent
    is_toolkit = (folder / "nvvm").is_dir() and not REPO.is_relative_to(folder)
    return [folder] if is_toolkit and folder != Path("/usr") else []


def nvcc_version() -> str | None:
    """nvcc's release, None if there is no nvcc."""
    compiler = nvcc()
    release = _release(compiler) if compiler else None
    return ".".join(map(str, release)) if release else None


def nvdisasm_version() -> str | None:
    """nvdisasm's release, None if there is no nvdisasm."""
    program = nvdisasm()
    release = _release(program) if program else None
    return ".".join(map(str, release)) if release else None


def nvcc_name() -> str | None:
    """nvcc's release and where it comes from, None if there is no nvcc."""
    compiler = nvcc()
    if compiler is None:
        return None
    origin = "NVIDIA's wheels" if _is_from_wheels(compiler) else str(compiler.parent.parent)
    return f"{nvcc_version()} from {origin}"


def missing_driver() -> str | None:
    """The driver that this machine needs to run what nvcc compiles, None if it has that."""
    device, compiler = gpu(), nvcc()
    if device is None or compiler is None or not _is_from_wheels(compiler):
        return None
    if int(device.driver.partition(".")[0]) >= _WHEELS_NEED_DRIVER:
        return None
    return (
        f"an NVIDIA driver from version {_WHEELS_NEED_DRIVER} on, or the CUDA Toolkit that fits "
        f"driver {device.driver}"
    )

"""Writes requirements.lock: the newest packages that fit pyproject.toml, with their hashes.

uv chooses them, for Python 3.11 and later on Linux. The file keeps the hashes of wheels for the
processors and the C library of our systems.
"""

from __future__ import annotations

import math
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from tilelab.base import locked, package_index, pip
from tilelab.base.errors import InfraError
from tilelab.base.requirements import PROJECT, declared, name_of

GROUPS = ("run", "test", "lint", "nvcc", "plots", "lock", "wheel", "docs")
_HEAD = """\
# Written by `./tilelab lock`. pip installs sections of it; pyproject.toml says what they are for.
"""
_OLDEST = "3.11"
# What is true wherever this file is used, so it need not be said.
_ALWAYS = (f"python_full_version >= '{_OLDEST}'", "sys_platform == 'linux'")
_PROCESSORS = ("x86_64", "aarch64")


def write() -> Path:
    """Writes the file anew. Raises InfraError if uv cannot be had, or chooses nothing."""
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        uv = _uv(Path(folder))
        together = [word for group in GROUPS[1:] for word in ("--group", group)]
        chosen = tomllib.loads(_compile(uv, *together, "--format=pylock.toml"))["packages"]
        pins = Path(folder, "pins.txt")
        pins.write_text("".join(f"{_pin(one)}\n" for one in chosen), encoding="utf-8")
        sections = [_section(group, chosen, _needed(uv, group, pins)) for group in GROUPS]
    locked.LOCK.write_text(_HEAD + "".join(sections), encoding="utf-8")
    return locked.LOCK


def _uv(folder: Path) -> Path:
    """The uv that the file itself pins."""
    finished = pip.install("lock", seconds=math.inf, into=folder)
    if finished.status != 0:
        why = package_index.problem(finished.output)
        raise InfraError(f"pip could not install uv, which chooses the packages: {why}")
    return folder / "bin" / "uv"


def _compile(uv: Path, *arguments: str) -> str:
    """What uv chooses for the requirements of running, and more of them by `arguments`."""
    options = f"--quiet --universal --python-version={_OLDEST} --no-header --no-annotate".split()
    command = [str(uv), "pip", "compile", str(PROJECT), "--only-binary=:all:", *options, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise InfraError("uv found no packages that fit pyproject.toml")
    return done.stdout


def _needed(uv: Path, group: str, pins: Path) -> set[str]:
    """The names of the packages that a group needs and, but for the group `run`, that does not."""
    options = [f"--constraint={pins}"]
    running = _names(_compile(uv, *options))
    if group == "run":
        return running
    return _names(_compile(uv, *options, f"--group={group}")) - running


def _names(compiled: str) -> set[str]:
    return {name_of(line) for line in compiled.splitlines()}


def _section(group: str, chosen: list[dict[str, Any]], names: set[str]) -> str:
    blocks = "".join(_block(one) for one in chosen if one["name"] in names)
    return locked.head(group, declared(group)) + blocks


def _pin(package: dict[str, Any]) -> str:
    """The package, its version and, if it is not for all of our systems, for which."""
    terms = package.get("marker", "").split(" and ")
    marker = " and ".join(term for term in terms if term not in ("", *_ALWAYS))
    return f"{package['name']}=={package['version']}{f' ; {marker}' if marker else ''}"


def _block(package: dict[str, Any]) -> str:
    """The package with a hash per wheel, as pip reads it."""
    hashes = sorted(
        one["hashes"]["sha256"]
        for one in package["wheels"]
        if _is_for_us(one["url"].rpartition("/")[2])
    )
    if not hashes:
        raise InfraError(f"{_pin(package)} has no wheel for our systems")
    return " \\\n    ".join([_pin(package), *(f"--hash=sha256:{one}" for one in hashes)]) + "\n"


def _is_for_us(wheel: str) -> bool:
    """Whether a wheel, by its name, is for one of our processors, glibc and the usual Python."""
    interpreter, abi, platforms = wheel.removesuffix(".whl").split("-")[-3:]
    if not interpreter.startswith(("py", "cp")) or abi.endswith("t"):
        return False
    return platforms == "any" or any(
        one.startswith(("manylinux", "linux")) and one.endswith(_PROCESSORS)
        for one in platforms.split(".")
    )

"""The packages that TileLab needs, and whether an interpreter has them.

The launcher asks each interpreter that it finds to run this file, before any package is installed:
PYTHONPATH=grading python3 requirements.py SCOPE. Exit status 0 is yes.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"

SCOPES = {"run": ("run",), "test": ("run", "test"), "lint": ("run", "test", "lint")}
"""For each thing that an environment is made for, the groups of packages that it holds."""

# Where a module's name is not that of its package.
_MODULES = {"pytest-xdist": "xdist", "pyyaml": "yaml"}
# These are programs rather than modules, and their versions say enough.
_NOT_IMPORTED = "lint"
_HELP = "from tilelab.app import main; main()"


def declared(group: str, project: Path = PROJECT) -> list[str]:
    """What pyproject.toml says about a group, for this interpreter.

    The group `run` is what running TileLab needs.
    """
    content: dict[str, Any] = tomllib.loads(project.read_text(encoding="utf-8"))
    found: list[str] = (
        content["project"]["dependencies"]
        if group == "run"
        else content["dependency-groups"][group]
    )
    return [one.partition(";")[0].strip() for one in found if _is_for_this_python(one)]


def _is_for_this_python(requirement: str) -> bool:
    marker = requirement.partition(";")[2].strip()
    match = re.fullmatch(r"python_version < '3\.(\d+)'", marker)
    assert match or not marker, (
        f"{requirement}: pyproject.toml may use python_version < '3.N' alone"
    )
    return match is None or sys.version_info < (3, int(match[1]))


def name_of(requirement: str) -> str:
    """The name of a package, as in "typer>=0.12"."""
    return re.split(r"[<>=!~; \[]", requirement, maxsplit=1)[0]


def module_of(package: str) -> str:
    return _MODULES.get(package, package.replace("-", "_"))


def is_met(requirement: str, version: str) -> bool:
    """Whether a version is the one that a requirement names after ==, or at least that after >=."""
    match = re.fullmatch(r"[\w.-]+(==|>=)([\d.]+)", requirement)
    assert match is not None, f"{requirement}: pyproject.toml may use == and >= alone"
    found, wanted = _release(version), _release(match[2])
    return found == wanted if match[1] == "==" else found >= wanted


def _release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without zeros at the end: 13.0 is 13, and 1.2rc1 is 1.2."""
    match = re.match(r"[\d.]+", version)
    numbers = [int(part) for part in match[0].split(".") if part] if match else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def unmet(requirements: Sequence[str]) -> list[str]:
    """What this interpreter lacks, such as "typer>=0.12 (found 0.7.0)"."""
    found = {one: _installed(name_of(one)) for one in requirements}
    return [
        f"{one} (found {version or 'none'})"
        for one, version in found.items()
        if version is None or not is_met(one, version)
    ]


def _installed(package: str) -> str | None:
    try:
        return metadata.version(package)
    except (metadata.PackageNotFoundError, KeyError):  # also if half of it was deleted
        return None


def folders(requirements: Sequence[str]) -> list[str]:
    """The folders that packages are installed in, now and next time. They change if one does."""
    found = (metadata.distribution(name_of(one)).locate_file("") for one in requirements)
    return sorted({sysconfig.get_path("purelib"), *map(str, found)})


def main(scope: str) -> int:
    """Prints this interpreter and its packages' folders, or what it lacks."""
    requirements = [one for group in SCOPES[scope] for one in declared(group)]
    if missing := unmet(requirements):
        print(f"{sys.executable}: needs {', '.join(missing)}", file=sys.stderr)
        return 1
    for group in SCOPES[scope]:
        for name in map(name_of, declared(group) if group != _NOT_IMPORTED else []):
            importlib.import_module(module_of(name))
    # Versions that fit each other badly, such as an old typer and a new click, fail here.
    subprocess.run([sys.executable, "-P", "-c", _HELP, "-h"], check=True, stdout=subprocess.DEVNULL)
    # The interpreter itself, because a shim, or an environment made from it, may lack its packages.
    print(":".join([sys.executable, *folders(requirements)]))
    return 0


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file, whose modules are not to be imported by these names
    sys.exit(main(sys.argv[1]))

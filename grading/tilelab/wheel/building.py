"""Builds a wheel with the harness of chosen labs, and checks which systems it runs on."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tilelab import backends
from tilelab.base import locks, package_index, pip, process
from tilelab.base.errors import InfraError
from tilelab.base.files import checksum, work_folder
from tilelab.base.repository import BUILD, REPO
from tilelab.pipeline.harness.building import turn

_SECONDS = 3600
_MADE_OF = (
    *("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "requirements.lock"),
    *("tests/CMakeLists.txt", "tests/labs/CMakeLists.txt"),
)
_FOLDERS = ("common", "grading/tilelab")


def build(labs: Sequence[str]) -> Path:
    """The wheel with the judges of these labs. Kept in the build folder. Raises InfraError."""
    kept = BUILD / "wheels" / _key(labs)
    with locks.exclusive(BUILD / "wheel.lock"):
        if found := next(kept.glob("*.whl"), None):
            return found
        environment = pip.environment("wheel")
        with work_folder() as work:
            built = _built(labs, work, environment)
            checked = _checked(built, work / "checked", environment)
            kept.mkdir(parents=True, exist_ok=True)
            return Path(shutil.move(checked, kept))


def _built(labs: Sequence[str], work: Path, environment: Mapping[str, str]) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    command += ["--disable-pip-version-check", "--wheel-dir", str(work), "--config-settings"]
    command += [f"cmake.define.TILELAB_WHEEL_LABS={';'.join(labs)}"]
    targets = ["estimator", "program", *(f"harness_{lab}" for lab in labs)]
    command += ["--config-settings", f"build.targets={';'.join(targets)}"]
    # What judges here is built already, and is the same.
    preset = backends.everywhere().preset
    command += ["--config-settings", f"build-dir={BUILD / preset}", str(REPO)]
    with turn(preset):
        _run("pip", command, environment)
    return next(work.glob("*.whl"))


def _checked(wheel: Path, folder: Path, environment: Mapping[str, str]) -> Path:
    """The same wheel, whose name says from which version of the C library on it runs."""
    command = [sys.executable, "-m", "auditwheel", "repair", "--only-plat"]
    _run("auditwheel", [*command, "--wheel-dir", str(folder), str(wheel)], environment)
    return next(folder.glob("*.whl"))


def _run(name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
    log = BUILD / "wheel.log"
    finished = process.run(command, seconds=_SECONDS, env=environment, keep=4 * 1024 * 1024)
    log.write_text(finished.output, encoding="utf-8")
    if finished.timed_out or finished.status != 0:
        said = package_index.last_line(finished.output)
        raise InfraError(f"{name} could not make a wheel ({said}): {log} says why.")


def _key(labs: Sequence[str]) -> str:
    made_of = f"{checksum(_sources(labs), REPO)} {sorted(labs)}"
    return hashlib.sha256(made_of.encode()).hexdigest()[:16]


def _sources(labs: Sequence[str]) -> Iterator[Path]:
    yield from (REPO / name for name in _MADE_OF)
    yield from (REPO / "labs" / lab / f"{lab}.h" for lab in labs)
    for folder in (*_FOLDERS, *(f"tests/labs/{lab}" for lab in labs)):
        for path in (REPO / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path

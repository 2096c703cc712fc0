"""The linters, each in the version that pyproject.toml pins."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

from tilelab.base import process
from tilelab.base.repository import REPO
from tilelab.base.requirements import declared

_SECONDS = 600
_OUTPUT = 1024 * 1024

_CPP = frozenset((".h", ".cuh", ".cpp", ".cu"))
_CPP_FOLDERS = ("common", "grading", "labs", "solutions", "tests")
# Students' files, and programs that are wrong on purpose, in form as well.
_FREE_IN_FORM = ("grading/sample_class", "tests/common/emulator/refused")
# clang-format's package has no module that Python can run with -m.
_CLANG_FORMAT = "from clang_format import clang_format; clang_format()"


@dataclass(frozen=True)
class Linter:
    """A tool that Python runs with `arguments`, followed by the names of `files`."""

    name: str
    package: str
    arguments: tuple[str, ...]
    files: Callable[[], list[str]] = list  # for a tool that does not find its files itself

    def missing(self) -> str | None:
        """Says how to install the tool. None if the right version is installed."""
        wanted = _pinned()[self.package]
        try:
            found = metadata.version(self.package)
        except metadata.PackageNotFoundError:
            found = "none"
        if found == wanted:
            return None
        return (
            f"needs {self.package} {wanted}, but found {found}. ./tilelab lint installs it. "
            f"Without the launcher: {sys.executable} -m pip install {self.package}=={wanted}"
        )

    def complaints(self) -> str | None:
        """What the tool complains about, None if it is content."""
        command = [sys.executable, "-P", *self.arguments, *self.files()]
        finished = process.run(command, seconds=_SECONDS, cwd=REPO, keep=_OUTPUT)
        if finished.timed_out:
            return f"did not end within {_SECONDS} s"
        if finished.status == 0:
            return None
        return finished.output.strip() or f"exit status {finished.status}"


def _pinned() -> dict[str, str]:
    """The pinned version of each linter's package."""
    parts = (one.partition("==") for one in declared("lint"))
    return {package: version for package, _, version in parts}


def _cpp_files() -> list[str]:
    return sorted(
        str(path.relative_to(REPO))
        for folder in _CPP_FOLDERS
        for path in (REPO / folder).rglob("*")
        if path.suffix in _CPP
        and not any(path.is_relative_to(REPO / free) for free in _FREE_IN_FORM)
    )


LINTERS = (
    Linter("ruff check", "ruff", ("-m", "ruff", "check", "--no-fix", "--quiet", ".")),
    Linter("ruff format", "ruff", ("-m", "ruff", "format", "--check", "--quiet", "--diff", ".")),
    Linter("mypy", "mypy", ("-m", "mypy", "--no-error-summary")),
    Linter(
        "clang-format", "clang-format", ("-c", _CLANG_FORMAT, "--dry-run", "-Werror"), _cpp_files
    ),
    Linter("codespell", "codespell", ("-m", "codespell_lib", ".")),
)

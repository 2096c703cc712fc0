"""A copy of the launcher on a system that lacks something."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import REPO

TOOLS = (
    "sh awk bash c++filt cat cksum cmake dirname env find flock g++ git grep head id mkdir mv "
    "objcopy printf prlimit readlink rm rmdir sed stat tail"
).split()

# Some tests show a start another file system: one that is full, or cannot be written.
_TRIED = ["bwrap", "--dev-bind", "/", "/", "true"]
needs_namespaces = pytest.mark.skipif(
    shutil.which("bwrap") is None or subprocess.run(_TRIED, capture_output=True).returncode != 0,
    reason="bubblewrap is not installed, or may not create namespaces",
)

# Of its own packages, a system shows only those that a test gives it.
_PACKAGES = [path for path in sys.path if path.endswith("-packages")]

_PIP = """\
import os, sys, time
log, answer = {log!r}, {answer!r}
with open(log, "a") as file:
    file.write(open(sys.argv[-1]).read() + "\\0")
exec(open(answer).read())
"""


class System:
    """A copy of the repository, and a PATH from which tools can be removed."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "repo"
        self.repo.mkdir(parents=True)
        for name in ("tilelab", "CMakeLists.txt", "pyproject.toml", "requirements.lock"):
            shutil.copy(REPO / name, self.repo)
        caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPO / "grading/tilelab", self.repo / "grading/tilelab", ignore=caches)
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in [*TOOLS, "ninja", "bwrap"]:
            self.script(tool, f'exec "{shutil.which(tool) or "false"}" "$@"')
        # One that has all packages already, as on a machine without a network.
        self.script("python3", f'exec "{sys.executable}" "$@"')
        self.script("id", "echo 1000")
        # Whatever this machine is, the copy looks for this in the test's folder.
        self._replace("system.sh", "/.dockerenv", str(folder / "dockerenv"))
        self._replace("system.sh", "/run/.containerenv", str(folder / "containerenv"))
        self._replace("python.sh", "/usr/bin/python3", str(folder / "usr-bin-python3"))
        self.pip_log = folder / "pip.log"
        self._pip_answer = folder / "pip-answer.py"

    def _replace(self, part: str, name: str, other: str) -> None:
        path = self.repo / "grading/tilelab/setup/launcher" / part
        text = path.read_text()
        assert name in text
        path.write_text(text.replace(name, other))

    def script(self, name: str, text: str) -> None:
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def tool(self, name: str) -> None:
        """Adds a tool of this machine to the PATH."""
        self.script(name, f'exec "{shutil.which(name)}" "$@"')

    def bare_python(self) -> None:
        """Replaces the interpreter by one that has no packages, but can make environments.

        Their pip installs what the tests' own interpreter has, unless pip_answers() says otherwise.
        """
        self.pip_installs()
        pip = self.bin.with_name("modules") / "pip"
        pip.mkdir(parents=True, exist_ok=True)
        source = _PIP.format(log=str(self.pip_log), answer=str(self._pip_answer))
        (pip / "__init__.py").touch()
        (pip / "__main__.py").write_text(source)
        self.tool("cp")
        self.script(
            "python3",
            'case "$*" in\n'
            f'"-m venv "*) "{sys.executable}" -m venv --without-pip "$3" &&\n'
            f'  cp -r "{pip}" "$3"/lib/python3*/site-packages ;;\n'
            "*requirements.py*) exit 1 ;;\n"
            f'*) exec "{sys.executable}" "$@" ;;\n'
            "esac",
        )

    def pip_installs(self, without: str = "none", and_then: str = "") -> None:
        """Makes pip install all that the tests' own interpreter has, except what starts so."""
        packages = self.bin.with_name(f"without-{without}")
        packages.mkdir(exist_ok=True)
        for path in (entry for folder in _PACKAGES for entry in Path(folder).iterdir()):
            link = packages / path.name
            if not path.name.startswith(without) and not link.is_symlink():
                link.symlink_to(path)
        lines = f"{packages}\n"
        self.pip_answers(
            "path = os.path.join(os.path.dirname(os.path.dirname(__file__)), 'packages.pth')\n"
            f"open(path, 'w').write({lines!r})\n{and_then}"
        )

    def pip_answers(self, program: str) -> None:
        self._pip_answer.write_text(program)

    @property
    def pip_calls(self) -> list[str]:
        """What each call of pip was told to install."""
        if not self.pip_log.exists():
            return []
        return self.pip_log.read_text().split("\0")[:-1]

    @property
    def env(self) -> dict[str, str]:
        return {"PATH": str(self.bin), "TILELAB_NVCC": "none"}

    def run(
        self, *arguments: str, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        # A bare environment: no HOME, locale C.
        return subprocess.run(
            [self.repo / "tilelab", *arguments],
            env=self.env | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def give_away(self) -> None:
        """Makes the repository somebody else's."""
        if os.geteuid() == 0:
            os.chown(self.repo, 65534, 65534)
        else:
            self.repo.chmod(0o555)

    @property
    def environment(self) -> Path:
        return self.repo / "build" / "python"

    @property
    def ready(self) -> Path:
        return self.environment / "ready"


def files(folder: Path) -> dict[str, bytes]:
    """Everything below a folder, with its content. Python's own caches may come and go."""
    return {
        str(path.relative_to(folder)): _content(path)
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else b""

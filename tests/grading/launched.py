"""A copy of the launcher on a system that lacks something."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from support import REPO

TOOLS = (
    "sh awk bash c++filt cat cksum cmake dirname env flock g++ head id mkdir mv objcopy printf "
    "prlimit readlink rm sed"
).split()


class System:
    """A copy of the repository, and a PATH from which tools can be removed."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "repo"
        (self.repo / "grading").mkdir(parents=True)
        for name in ("tilelab", "CMakeLists.txt"):
            shutil.copy(REPO / name, self.repo)
        shutil.copy(REPO / "grading" / "pyproject.toml", self.repo / "grading")
        shutil.copytree(REPO / "grading" / "tilelab", self.repo / "grading" / "tilelab")
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in [*TOOLS, "ninja", "bwrap"]:
            self.script(tool, f'exec "{shutil.which(tool) or "false"}" "$@"')
        # One that has typer and rich already, as on a machine without a network.
        self.script("python3", f'exec "{sys.executable}" "$@"')
        self.script("id", "echo 1000")

    def script(self, name: str, text: str) -> None:
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    @property
    def env(self) -> dict[str, str]:
        return {"PATH": str(self.bin), "TILELAB_NVCC": "none"}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        # A bare environment: no HOME, locale C.
        return subprocess.run(
            [self.repo / "tilelab", *arguments],
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def give_away(self) -> None:
        """Makes the repository somebody else's."""
        if os.geteuid() == 0:
            os.chown(self.repo, 65534, 65534)
        else:
            self.repo.chmod(0o555)

    @property
    def ready(self) -> Path:
        return self.repo / ".venv" / "ready"

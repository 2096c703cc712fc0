"""Programs that CMake builds with the preset of the emulator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.base.repository import REPO

BIN = REPO / "build" / "emulator" / "bin"


def build(target: str) -> None:
    preset = ["--preset", "emulator"]
    for words in (preset, ["--build", *preset, "--target", target]):
        subprocess.run(["cmake", *words], cwd=REPO, check=True)


def write_printed(target: str, page: Path) -> None:
    """Builds a program and writes what it prints. Ends with its status."""
    build(target)
    done = subprocess.run([BIN / target], stdout=subprocess.PIPE, check=False)
    write_atomically(page, done.stdout)
    print(f"Wrote {page}")
    sys.exit(done.returncode)

"""The name of this system, and the versions of its programs."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path


def os_name() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()


def is_busy() -> bool:
    """Whether more programs want to run than this machine has processors."""
    return os.getloadavg()[0] > (os.cpu_count() or 1) + 1


def version(program: str | Path) -> str | None:
    """The version that `PROGRAM --version` prints, None if there is no such program."""
    match = re.search(r"\d+(?:\.\d+)+", output(program, "--version"))
    return match[0] if match else None


def output(program: str | Path, *arguments: str, source: str = "") -> str:
    """What a program prints when it reads `source`. Empty if it fails or is not installed."""
    command: Sequence[str | Path] = (program, *arguments)
    try:
        result = subprocess.run(
            command, input=source, capture_output=True, text=True, errors="replace", timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout if result.returncode == 0 else ""

"""Installs the packages that requirements.lock pins into the environment of this interpreter.

The launcher runs this: python -P -m tilelab.setup.packages SCOPE. It uses nothing that it installs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from tilelab.base import locked, package_index
from tilelab.base.requirements import SCOPES


def main(scope: str) -> int:
    """Installs what a scope needs. If that fails, says why in one line."""
    with tempfile.NamedTemporaryFile("w", prefix="tilelab-", suffix=".txt") as wanted:
        wanted.write(locked.text(*SCOPES[scope]))
        wanted.flush()
        command = [sys.executable, "-m", "pip", "install", "--quiet", *locked.PIP_OPTIONS]
        finished = subprocess.run(
            [*command, "-r", wanted.name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            text=True,
            errors="replace",
            check=False,
        )
    if finished.returncode != 0:
        why = package_index.problem(finished.stdout)
        print(
            f"pip could not download the packages: {why}. "
            "Connect to a network that reaches PyPI, then try again",
            file=sys.stderr,
        )
    return finished.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""Installs the packages that requirements.lock pins into the environment of this interpreter.

The launcher runs this: python -P -m tilelab.setup.packages SCOPE. It uses nothing that it installs.
"""

from __future__ import annotations

import math
import sys

from tilelab.base import package_index, pip
from tilelab.base.requirements import SCOPES


def main(scope: str) -> int:
    """Installs what a scope needs. If that fails, says why in one line."""
    finished = pip.install(*SCOPES[scope], seconds=math.inf)
    if finished.status != 0:
        why = package_index.problem(finished.output)
        print(
            f"pip could not download the packages: {why}. "
            "Connect to a network that reaches PyPI, then try again",
            file=sys.stderr,
        )
    return finished.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

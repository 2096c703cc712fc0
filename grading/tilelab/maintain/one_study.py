"""Runs a study in a process of its own: python -P -m tilelab.maintain.one_study SCRIPT ARGUMENTS...

As python SCRIPT does, but what is not installed is one line.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

_PACKAGES = {"PIL": "Pillow"}


def main() -> None:
    del sys.argv[0]
    script = sys.argv[0]
    sys.path.insert(0, str(Path(script).parent))
    try:
        runpy.run_path(script, run_name="__main__")
    except ModuleNotFoundError as error:
        # A part of a package that is there, or of ours, is no package to install.
        if "." in str(error.name):
            raise
        package = _PACKAGES.get(str(error.name), error.name)
        how = f"{sys.executable} -m pip install {package}"
        sys.exit(f"tilelab: {script} needs the Python package {package}: {how}")


if __name__ == "__main__":
    main()

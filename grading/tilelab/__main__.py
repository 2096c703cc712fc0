"""Runs the command line: the launcher starts `python -m tilelab`."""

from __future__ import annotations

import contextlib
import sys
from typing import NoReturn

from tilelab.base.repository import BUILD


def main() -> None:
    try:
        from tilelab.app import main as run

        run()
    except ImportError as error:
        if (error.name or "tilelab").partition(".")[0] == "tilelab":
            raise
        _fail(error)


def _fail(error: ImportError) -> NoReturn:
    """Says that a package is damaged, and tells the launcher."""
    note = BUILD / "python" / "ready"
    again = "install it again"
    if note.exists():
        with contextlib.suppress(OSError):
            note.write_text("broken\n", encoding="utf-8")
        again = "run this command again, which installs it anew"
    print(f"tilelab: a Python package is damaged ({error}): {again}", file=sys.stderr)
    sys.exit(3)


main()

"""`tilelab lock`: pins the newest Python packages in requirements.lock."""

from __future__ import annotations

from tilelab.commands.console import console
from tilelab.maintain.lock import write


def lock() -> None:
    """For maintainers: pins the newest Python packages that fit pyproject.toml."""
    console.print(f"Wrote {write()}", markup=False)

"""`tilelab docs`: builds the documentation as a website."""

from __future__ import annotations

from tilelab.commands.console import console
from tilelab.site import doxygen


def docs() -> None:
    """Builds the documentation as a website."""
    console.print(f"Wrote {doxygen.build_here()}", markup=False)

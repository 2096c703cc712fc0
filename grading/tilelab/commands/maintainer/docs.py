"""`tilelab docs`: builds the documentation as a website."""

from __future__ import annotations

from tilelab.commands.console import console
from tilelab.site import building


def docs() -> None:
    """Builds the documentation as a website."""
    console.print(f"Wrote {building.build_here()}", markup=False)

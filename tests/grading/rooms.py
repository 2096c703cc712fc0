"""Says which rooms of the Python package may import which."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "grading" / "tilelab"

# From top to bottom: a room imports from itself and from lower floors, never from its own floor.
FLOORS: tuple[frozenset[str], ...] = tuple(
    frozenset(floor.split())
    for floor in (
        "commands",
        "report screens",
        "cluster publish verify",
        "bench collect exports maintain picture programs record setup similar site tutor "
        "watch wheel",
        "pipeline",
        "sandbox",
        "backends estimate labs score",
        "model",
        "base",
    )
)


def room(path: Path) -> str:
    """The room of a file of the package, "" for files directly in the package."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def floor(of_room: str) -> int:
    """The floor of a room, where 0 is the top. Raises StopIteration if it has none."""
    return next(number for number, rooms in enumerate(FLOORS) if of_room in rooms)


def may_import(importer: str, imported: str) -> bool:
    """Whether a module of one room may import one of another."""
    if importer == imported or importer == "":
        return True
    if imported == "":
        return False
    return floor(imported) > floor(importer)

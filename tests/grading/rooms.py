"""Says which rooms of the Python package may import which."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "grading" / "tilelab"
PIPELINE = PACKAGE / "pipeline"

Floors = tuple[frozenset[str], ...]


def _floors(*names: str) -> Floors:
    return tuple(frozenset(floor.split()) for floor in names)


# From top to bottom: a room imports from itself and from lower floors, never from its own floor.
FLOORS = _floors(
    "commands",
    "report screens",
    "cluster publish verify viva",
    "bench collect exports maintain picture programs record repairs setup similar site tutor watch "
    "wheel",
    "pipeline",
    "sandbox",
    "backends estimate labs score",
    "model",
    "base",
)

# The same within the pipeline. The stages of a submission's life are on one floor: what they hand
# each other is a record.
FLOORS_OF_PIPELINE = _floors(
    "batch",
    "submission",
    "challenge evidence profiling",
    "estimating shared_files workers",
    "class_folder compiler groups harness intake judge linker objects texts",
    "records",
)


def room(path: Path) -> str:
    """The room of a file of the package, "" for files directly in the package."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def stage(path: Path) -> str:
    """The room of a file of the pipeline, some of which are a single file."""
    return path.relative_to(PIPELINE).parts[0].removesuffix(".py")


def floor(of_room: str, floors: Floors = FLOORS) -> int:
    """The floor of a room, where 0 is the top. Raises StopIteration if it has none."""
    return next(number for number, rooms in enumerate(floors) if of_room in rooms)


def may_import(importer: str, imported: str, floors: Floors = FLOORS) -> bool:
    """Whether a module of one room may import one of another."""
    if importer == imported or importer == "":
        return True
    if imported == "":
        return False
    return floor(imported, floors) > floor(importer, floors)

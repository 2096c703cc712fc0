"""What the pictures show: a kernel of each lab at a telling step of its run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shot:
    """A state of the page of `tilelab show`, and what of it goes into a handout.

    Each part reaches from the top of one element to the bottom of another, as wide as the page.
    """

    file: str  # in solutions/LAB
    state: str
    parts: tuple[tuple[str, str], ...]


STEP = (".sentence", ".sentence")
_TO_THE_END = (".sentence", ".request")
_WITHOUT_REQUEST = (".sentence", ".stage")
_REQUEST = ("h3:has(+ .request)", ".request")

SHOWS: dict[str, tuple[Shot, ...]] = {
    # The last block has two threads more than elements.
    "first_kernel": (Shot("first_kernel.cu", "block=2&position=2", (_WITHOUT_REQUEST,)),),
    # The left neighbor of a block's first thread is not in its tile.
    "diff": (Shot("ladder/02_tile.cu", "block=1&position=4", (_WITHOUT_REQUEST,)),),
    # The next tile overwrites slots that another thread still needs.
    "nearest_neighbor": (
        Shot("mistakes/missing_second_barrier.cu", "block=0&position=23", (_WITHOUT_REQUEST,)),
    ),
    # Ten bodies leave two slots of the third tile to bodies of mass 0.
    "nbody": (Shot("ladder/03_tile.cu", "block=0&position=18", ((".sentence", ".touched"),)),),
    # The same loads, in narrow and in wide rows.
    "derivatives": (
        Shot(
            "ladder/02_small_pencils.cu", "call=1&position=0", ((".sentence", "circle"), _REQUEST)
        ),
        Shot("ladder/03_large_pencils.cu", "call=1&position=0", (STEP, _REQUEST)),
    ),
}

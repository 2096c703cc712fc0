"""What a judge is asked about a call at the size whose time is estimated.

common/schema/estimated_call.h has the same records.
"""

from __future__ import annotations

from msgspec import Struct

from tilelab.model.recording import Array, Left, Salt, Stored
from tilelab.model.stream import Begin, End


class EstimatedCall(Struct, frozen=True, tag="estimated_call"):
    """The call. Its arguments follow in their order, then what some blocks stored, or all left."""

    function: str


class Scalar(Struct, frozen=True, tag="scalar"):
    """An argument that is no array: a number, or those of a struct."""

    numbers: tuple[float, ...]


StoredResults = Begin | EstimatedCall | Salt | Array | Scalar | Stored | Left | End

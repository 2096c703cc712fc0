"""Types for the fields of records that are read from files."""

from __future__ import annotations

import sys
from typing import Annotated

from msgspec import Meta

# A whole number stays one: 60 points are not written as 60.0.
Number = int | float

# What people write. Each of these says what is allowed, for messages.
Positive = Annotated[
    Annotated[int, Meta(gt=0, lt=10**9)] | Annotated[float, Meta(gt=0, lt=1e9)],
    Meta(description="must be a number greater than 0"),
]
NotNegative = Annotated[
    Annotated[int, Meta(ge=0, lt=10**9)] | Annotated[float, Meta(ge=0, lt=1e9)],
    Meta(description="must be a number that is not negative"),
]
Finite = Annotated[
    int | Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)],
    Meta(description="must be a number"),
]
Points = Annotated[
    Annotated[int, Meta(ge=-(10**6), le=10**6)] | Annotated[float, Meta(ge=-1e6, le=1e6)],
    Meta(description="must be a number of points, at most 1,000,000"),
]
Whole = Annotated[int, Meta(gt=0, lt=10**9, description="must be a whole number greater than 0")]

Text = Annotated[str, Meta(min_length=1, description="must be a non-empty string")]
Texts = Annotated[tuple[Text, ...], Meta(description="must be a list of strings")]

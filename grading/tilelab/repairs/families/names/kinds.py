"""What edits of names are about, wherever they stand."""

from __future__ import annotations

from tilelab.repairs.edit import Kind

VARIABLE = Kind(
    "wrong variable",
    "Is this the variable that belongs here?",
    "Say in words what each variable of the line counts, and what the line needs.",
)
ARRAY = Kind(
    "wrong array",
    "Is this the array that this line should use?",
    "Say in words what each array holds at this point, and what the line needs.",
    0.8,
)
AXIS = Kind(
    "axes exchanged",
    "Which of these runs along a row, and which from row to row?",
    "threadIdx.x is the fastest: neighboring threads differ in x. A row of an array lies along the "
    "fastest axis, so x belongs to the column and y to the row.",
    0.7,
)

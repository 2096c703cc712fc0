"""Says the same of a trace in fewer bytes: lanes usually access elements at equal distances.

`unpacked` in page/packing.js reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_LISTS = ("lanes", "arrays", "offsets", "batches", "from_arrays", "from_offsets")


def packed(step: Mapping[str, object]) -> dict[str, object]:
    """A step of a trace, as the page gets it."""
    made = dict(step)
    for name in _LISTS:
        numbers = made.get(name)
        if isinstance(numbers, list | tuple):
            made[name] = _shorter(numbers)
    values = made.get("values")
    if isinstance(values, list | tuple) and len({len(value) for value in values}) == 1:
        made["values"] = "".join(values)  # of equal length
    return made


def _shorter(numbers: Sequence[int]) -> object:
    """The numbers, or their runs if these are fewer: {"runs": [first, distance, count, ...]}."""
    runs = [number for run in _runs(numbers) for number in run]
    return {"runs": runs} if len(runs) < len(numbers) else list(numbers)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Numbers at equal distances, as (first, distance, count)."""
    begin = 0
    while begin < len(numbers):
        end = begin + 1
        distance = numbers[end] - numbers[begin] if end < len(numbers) else 0
        while end < len(numbers) and numbers[end] - numbers[end - 1] == distance:
            end += 1
        yield numbers[begin], distance, end - begin
        begin = end

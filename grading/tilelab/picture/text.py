"""A picture as text: what the arrays hold before, during and after a call."""

from __future__ import annotations

import re
import struct
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from tilelab.base.text import one_line
from tilelab.model.picture import DrawnCall, DrawnLaunch, OutputArray, Step, TracedArray
from tilelab.picture.run import Picture, Side
from tilelab.picture.shared_arrays import SharedArray

_WIDTH = 80
_MOST_BLOCKS = 8
_MOST_ELEMENTS = 64
_NUMBERS = {
    **dict.fromkeys(("char", "signed char", "int8_t"), "<b"),
    **dict.fromkeys(("uchar", "unsigned char", "uint8_t", "bool"), "<B"),
    **dict.fromkeys(("short", "int16_t"), "<h"),
    **dict.fromkeys(("ushort", "unsigned short", "uint16_t"), "<H"),
    **dict.fromkeys(("int", "int32_t"), "<i"),
    **dict.fromkeys(("uint", "unsigned", "unsigned int", "uint32_t"), "<I"),
    **dict.fromkeys(("long", "long long", "longlong", "int64_t"), "<q"),
    **dict.fromkeys(("unsigned long", "unsigned long long", "uint64_t", "size_t"), "<Q"),
    "float": "<f",
    "double": "<d",
}


def element_bytes(type_name: str) -> int | None:
    """The size of a number, or of a vector of numbers, of this type. None if it is another type."""
    form = _NUMBERS.get(_number(type_name))
    return struct.calcsize(form) * _components(type_name) if form else None


def lines(picture: Picture) -> Iterator[str]:
    """Input, tile, output and expected output of each call of the submission."""
    if picture.own.note:
        yield from textwrap.wrap(picture.own.note, _WIDTH)
    for call in picture.own.calls:
        yield ""
        yield one_line(call.call)
        yield from _call(call, picture.own)


def _call(call: DrawnCall, side: Side) -> Iterator[str]:
    for array in call.inputs:
        yield from _row(array.name, _elements(array.values, array.components))
    for launch in call.launches:
        yield from _tiles(launch, side)
        if not launch.trace.complete:
            yield "(a part: the run makes more accesses than a trace can hold)"
    if not call.launches:
        yield "No kernel was launched."
    if call.failure:
        yield from textwrap.wrap(one_line(call.failure), _WIDTH)
    for output in call.outputs:
        yield from _output(output)
    findings = [*call.findings]
    findings += [one for launch in call.launches for one in launch.findings]
    for finding in findings:
        yield from textwrap.wrap(one_line(finding.text), _WIDTH)


def _output(array: OutputArray) -> Iterator[str]:
    unwritten = frozenset() if array.before else frozenset(array.unwritten)
    if array.before:
        yield from _row(f"{array.name} before", _elements(array.before, array.components))
    got = _elements(array.values, array.components)
    shown = ["nothing" if i in unwritten else text for i, text in enumerate(got)]
    if shown:
        yield from _row(array.name, shown)
    yield from _row("expected", _elements(array.expected, array.components))
    if array.wrong:
        of = "" if array.returned else "[{}]"
        yield from _row("wrong", [array.name + of.format(i) for i in array.wrong])
    elif shown:
        yield f"{array.name} is right."


def _tiles(launch: DrawnLaunch, side: Side) -> Iterator[str]:
    """What each block has left in each shared array."""
    declared = {one.name: one for one in side.shared}
    tiles: dict[tuple[int, int], dict[int, str]] = {}
    arrays = launch.trace.arrays
    for step in launch.trace.steps:
        for number, offset, value in _shared_stores(step, arrays):
            shape = declared.get(arrays[number].name)
            for at, text in _words(offset, value, shape):
                tiles.setdefault((step.block, number), {})[at] = text
    for (block, number), words in list(tiles.items())[:_MOST_BLOCKS]:
        name = arrays[number].name or "shared memory"
        shape = declared.get(name)
        components = _components(shape.type) if shape else 1
        texts = [
            words.get(i, "-") for i in range(max(words) // components * components + components)
        ]
        yield from _row(f"{one_line(name)} of block {block}", _elements(texts, components))
    if len(tiles) > _MOST_BLOCKS:
        yield f"... and {len(tiles) - _MOST_BLOCKS} more tiles"


def _shared_stores(step: Step, arrays: Sequence[TracedArray]) -> Iterator[tuple[int, int, str]]:
    if step.arrays is None or step.offsets is None or step.values is None:  # a barrier or a load
        return
    for number, offset, value in zip(step.arrays, step.offsets, step.values, strict=True):
        if arrays[number].space == "shared":
            yield number, offset, value


def _words(offset: int, digits: str, shape: SharedArray | None) -> Iterator[tuple[int, str]]:
    """The components that a store leaves, by their number in the array."""
    name = _number(shape.type) if shape else "int"
    form = _NUMBERS.get(name, "<i")
    data, size = bytes.fromhex(digits), struct.calcsize(form)
    for k in range(len(data) // size):
        (value,) = struct.unpack_from(form, data, k * size)
        yield offset // size + k, f"{value:.6g}" if isinstance(value, float) else str(value)


def _number(type_name: str) -> str:
    """The type of the numbers in a vector: float of float4."""
    return re.sub(r"^std ?:: ?|(?<=[a-z])[1-4]$", "", type_name)


def _components(type_name: str) -> int:
    return int(type_name[-1]) if re.fullmatch(r"[a-z]+[1-4]", type_name) else 1


def _elements(texts: Sequence[str], components: int) -> list[str]:
    short = [_short(text) for text in texts]
    if components == 1:
        return short
    groups = [short[i : i + components] for i in range(0, len(short), components)]
    return [f"({', '.join(group)})" for group in groups]


def _short(text: str) -> str:
    """A number with at most four digits after others; anything else as it is."""
    try:
        return (
            text if len(text) <= 6 else f"{float(text):.4g}" if "." in text or "e" in text else text
        )
    except ValueError:
        return one_line(text)


def _row(name: str, texts: Iterable[str]) -> Iterator[str]:
    """A name and its elements, in columns of equal width, wrapped at 80 characters."""
    shown = list(texts)
    more = len(shown) - _MOST_ELEMENTS
    if more > 0:
        shown = [*shown[:_MOST_ELEMENTS], f"... {more} more"]
    width = max((len(text) for text in shown), default=0) + 1
    label = 20
    per_line = max(1, (_WIDTH - label) // width)
    for begin in range(0, max(len(shown), 1), per_line):
        head = name if begin == 0 else ""
        row = "".join(f"{text:>{width}}" for text in shown[begin : begin + per_line])
        yield f"{head:<{label}}{row}".rstrip()

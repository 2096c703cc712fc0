"""Reads machine code (SASS) as nvdisasm prints it: functions, instructions, innermost loops."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_SECTION = re.compile(r"\s*\.section\s+\.text\.([^,\s]+)")
_LABEL = re.compile(r"(\.L_\w+):")
_PLACE = re.compile(r'\s*//## File "([^"]*)", line (\d+)(?: inlined at "([^"]*)", line (\d+))?')
# An address, perhaps a predicate, the operation with its modifiers, and its operands.
_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+((?:@!?U?P\w+\s+)?([A-Z]\w*)[^;]*?)\s*;")
_TARGET = re.compile(r"`\((\.L_\w+)\)")


@dataclass(frozen=True)
class Instruction:
    """One instruction: its text, its operation without modifiers, and the source line it is for.

    The operation of `@P0 MUFU.RSQ R4, R0` is MUFU. The line is that of a file that was asked for,
    also if the code comes from a header; None if nvcc names none.
    """

    text: str
    operation: str
    line: int | None
    file: str | None = None


@dataclass(frozen=True)
class Loop:
    """An innermost loop, in the order of its machine code."""

    instructions: Sequence[Instruction]

    @property
    def operations(self) -> Counter[str]:
        return Counter(one.operation for one in self.instructions)

    @property
    def slots(self) -> int:
        """The slots of a scheduler that one pass takes. A false predicate saves none."""
        return len(self.instructions)


@dataclass(frozen=True)
class Function:
    """A kernel, or a function that is not inlined. `name` is as the linker sees it."""

    name: str
    instructions: Sequence[Instruction]
    loops: Sequence[Loop]


def read(code: str, is_wanted: Callable[[str], bool]) -> list[Function]:
    """The functions in the output of `nvdisasm -c -gi`.

    `is_wanted` says whether lines of the file with this path are.
    """
    functions: list[Function] = []
    lines: list[str] = []
    name = ""
    for line in code.splitlines():
        if match := _SECTION.match(line):
            functions += _function(name, lines, is_wanted)
            name, lines = match[1], []
        else:
            lines.append(line)
    return functions + _function(name, lines, is_wanted)


def _function(name: str, lines: Sequence[str], is_wanted: Callable[[str], bool]) -> list[Function]:
    if not name:
        return []
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    backward: set[tuple[int, int]] = set()
    places: list[tuple[str, int]] = []  # where the next instruction comes from, innermost first
    fresh = False  # whether `places` is complete
    for line in lines:
        if match := _PLACE.match(line):
            places = [*([] if fresh else places), *_places(match)]
            fresh = False
        elif match := _LABEL.match(line):
            labels[match[1]] = len(instructions)
        elif match := _INSTRUCTION.match(line):
            fresh = True
            target = _TARGET.search(match[1])
            begin = labels.get(target[1]) if target and match[2] == "BRA" else None
            # After its last instruction, a kernel has a branch to itself, which is never reached.
            if begin is not None and begin < len(instructions):
                backward.add((begin, len(instructions)))
            file, number = _place(places, is_wanted)
            instructions.append(Instruction(match[1], match[2], number, file))
    loops = [Loop(instructions[first : last + 1]) for first, last in _innermost(backward)]
    return [Function(name, instructions, loops)]


def _places(match: re.Match[str]) -> Iterator[tuple[str, int]]:
    yield match[1], int(match[2])
    if match[3] is not None:
        yield match[3], int(match[4])


def _place(
    places: Sequence[tuple[str, int]], is_wanted: Callable[[str], bool]
) -> tuple[str, int] | tuple[None, None]:
    return next(((file, line) for file, line in places if is_wanted(file)), (None, None))


def _innermost(branches: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of the backward branches that have no other between target and branch."""

    def has_none_inside(first: int, last: int) -> bool:
        inside = (1 for a, b in branches if first <= a and b <= last)
        return sum(inside) == 1

    return sorted(branch for branch in branches if has_none_inside(*branch))

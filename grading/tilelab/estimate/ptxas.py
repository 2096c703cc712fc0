"""Reads what ptxas says about each kernel: its registers and memory."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_ENTRY = re.compile(r"Compiling entry function '([^']+)' for '(\w+)'")
_PROPERTIES = re.compile(r"Function properties for (\S+)")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")


@dataclass(frozen=True)
class Resources:
    """What ptxas gives a kernel.

    `name` is as the linker sees it. Registers are per thread, of 4 bytes each. The stack and the
    spills are bytes per thread, and spills count each load and store in the code once.
    """

    name: str
    registers: int = 0
    static_shared_bytes: int = 0
    stack_bytes: int = 0
    spill_store_bytes: int = 0
    spill_load_bytes: int = 0


def read(output: str) -> list[Resources]:
    """The kernels that the output of `ptxas -v` names, in its order."""
    found: list[Resources] = []
    about = ""  # the function that the next line with a stack is about
    for line in output.splitlines():
        if match := _ENTRY.search(line):
            found.append(Resources(match[1]))
        elif match := _PROPERTIES.search(line):
            about = match[1]
        elif found and about == found[-1].name and (match := _STACK.search(line)):
            stack, stores, loads = map(int, match.groups())
            found[-1] = replace(
                found[-1], stack_bytes=stack, spill_store_bytes=stores, spill_load_bytes=loads
            )
        elif found and (match := _USED.search(line)):
            shared = _SHARED.search(line)
            found[-1] = replace(
                found[-1],
                registers=int(match[1]),
                static_shared_bytes=int(shared[1]) if shared else 0,
            )
    return found

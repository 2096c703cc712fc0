"""Reads the innermost loops of a kernel from nvcc's machine code."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tilelab.backends import nvidia

_FUNCTION = re.compile(r"\s*\.section\s+\.text\.")
_LABEL = re.compile(r"(\.L_\w+):")
# An address, perhaps a predicate, the operation and its operands.
_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?(\w+)(.*)")
_TARGET = re.compile(r"`\((\.L_\w+)\)")


@dataclass(frozen=True)
class Loop:
    """Counts each operation of a loop, without modifiers: MUFU, not MUFU.RSQ."""

    operations: Counter[str]

    @property
    def slots(self) -> int:
        """The slots of a scheduler that the loop takes. A false predicate saves none."""
        return self.operations.total()


def disassembler() -> Path | None:
    """The path of nvdisasm: on the PATH, next to nvcc, or in the Python package of that name."""
    if found := shutil.which("nvdisasm"):
        return Path(found)
    nvcc = nvidia.nvcc()
    candidates = [nvcc.resolve().with_name("nvdisasm")] if nvcc else []
    for folder in filter(None, sys.path):
        candidates += sorted(Path(folder).glob("nvidia/*/bin/nvdisasm"))
    return next((path for path in candidates if path.is_file()), None)


def disassemble(source: Path, include: Path, folder: Path) -> str:
    """The code for compute capability 9.0, compiled as a submission is."""
    nvcc, nvdisasm = nvidia.nvcc(), disassembler()
    assert nvcc and nvdisasm
    cubin = folder / "kernel.cubin"
    options = ["-std=c++20", "-O3", "-lineinfo", "-arch=sm_90", f"-I{include}", "-cubin"]
    subprocess.run([nvcc, *options, source, "-o", cubin], check=True, timeout=300)
    shown = subprocess.run([nvdisasm, "-c", cubin], check=True, timeout=300, capture_output=True)
    return shown.stdout.decode()


def innermost_loops(code: str) -> list[Loop]:
    """The innermost loops: backward branches with no other one between target and branch."""
    found = []
    for function in _FUNCTION.split(code)[1:]:
        operations, branches = _read(function)
        for first, last in branches:
            inner = [(a, b) for a, b in branches if first <= a and b <= last]
            if inner == [(first, last)]:
                found.append(Loop(Counter(operations[first : last + 1])))
    return found


def _read(function: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The operations, and the places of each backward branch and its target."""
    operations: list[str] = []
    labels: dict[str, int] = {}
    branches: list[tuple[int, int]] = []
    for line in function.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(operations)
        elif instruction := _INSTRUCTION.match(line):
            operations.append(instruction[1])
            target = _TARGET.search(instruction[2])
            if instruction[1] == "BRA" and target and target[1] in labels:
                branches.append((labels[target[1]], len(operations) - 1))
    return operations, sorted(set(branches))

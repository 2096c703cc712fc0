"""Which lines of a program the warps of a launch wait for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base.text import shorten
from tilelab.estimate import sass
from tilelab.model.program_estimate import WaitedLine
from tilelab.model.simulation import Simulated
from tilelab.programs.machine_code import Code

_LONGEST = 80  # of a line that is shown
_LEAST = 0.05  # of what warps wait for, or of the atomics


class Lines:
    """The lines of the kernels in a file's machine code, without those of CUDA's own headers."""

    def __init__(self, code: Code) -> None:
        text = code.text.read_text(encoding="utf-8", errors="replace")
        functions = sass.read(text, _is_own)
        self._code = {one.name: one.instructions for one in functions}

    def waited_for(self, kernel: str, simulated: Simulated) -> Sequence[WaitedLine]:
        """The lines that matter, the one that most is waited for first."""
        sums: dict[tuple[str, int], list[float]] = {}
        instructions = self._code.get(kernel, ())
        for one in simulated.waited:
            found = instructions[one.instruction] if one.instruction < len(instructions) else None
            if found is None or found.file is None or found.line is None:
                continue
            of_line = sums.setdefault((found.file, found.line), [0.0, 0.0])
            of_line[0] += one.waits
            of_line[1] += one.atomics
        made = [
            WaitedLine(file, line, _text(file, line), waits, atomics)
            for (file, line), (waits, atomics) in sums.items()
            if max(waits, atomics) >= _LEAST
        ]
        return sorted(made, key=lambda one: -one.waits)


def _is_own(file: str) -> bool:
    """Whether a file is none of those that come with the compilers."""
    path = Path(file)
    nvcc = nvidia.nvcc()
    toolkit = [nvcc.parent.parent] if nvcc and nvcc.parent.parent != Path("/usr") else []
    return not any(path.is_relative_to(one) for one in (Path("/usr"), *toolkit))


def _text(file: str, line: int) -> str:
    """The line itself, "" if it cannot be read."""
    try:
        lines = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return shorten(lines[line - 1].strip(), _LONGEST) if 0 < line <= len(lines) else ""

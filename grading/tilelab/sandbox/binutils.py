"""Runs the linker and its like on what a submission became, in the compiler's jail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.errors import CompileError, InfraError
from tilelab.base.text import printable, shorten
from tilelab.sandbox import jail

_TOO_LARGE = re.compile(
    r"truncated to fit|too large|will not fit|out of range|overflow|failed to convert GOTPCREL"
)


def run(argv: list[str], work: Path, readable: Sequence[Path] = ()) -> None:
    """Raises CompileError if the program fails, as a submission may make it, or InfraError."""
    finished = jail.run_compiler(argv, work, readable)
    if finished.timed_out:
        raise InfraError(f"{argv[0]} did not end within {jail.COMPILE_SECONDS} s.")
    if finished.status == 0:
        return
    output = printable(finished.output.strip())
    if _TOO_LARGE.search(output):
        sentence = (
            "Linking failed because the global arrays take too much memory: keep large arrays in "
            "memory from cudaMalloc()."
        )
    else:
        sentence = f"The compiled file cannot be linked: {shorten(output, 300)}"
    raise CompileError([sentence], located=False)

"""What a file's head says that it needs: `// Needs: compute capability 9.0`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.heads import head_line
from tilelab.pipeline.records.toolchain import Toolchain

_CAPABILITY = re.compile(r"compute capability (\d+)\.(\d+)")


def capability(path: Path) -> tuple[int, int] | None:
    """The oldest GPUs that the file compiles for; None if its head names none.

    Raises UserError if the line cannot be read.
    """
    said = head_line(path, "Needs")
    if said is None:
        return None
    if not (match := _CAPABILITY.fullmatch(said)):
        raise UserError(f"{path}: '// Needs: {said}' must be like 'compute capability 9.0'")
    return int(match[1]), int(match[2])


def able(path: Path, toolchains: Sequence[Toolchain]) -> list[Toolchain]:
    """Those that can compile and run the file. What is emulated has all capabilities."""
    wanted = capability(path)
    return [tool for tool in toolchains if wanted is None or _has(tool, wanted)]


def _has(tool: Toolchain, wanted: tuple[int, int]) -> bool:
    found = tool.backend.capability()
    return found is None or found >= wanted

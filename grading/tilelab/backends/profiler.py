"""What the rest of the package may ask a profiler, a tool that reads a GPU's counters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


@dataclass
class Launch:
    """One launch as the profiler saw it; sizes as it writes them, "(256, 1, 1)"."""

    kernel: str
    grid: str
    block: str
    counts: dict[str, int] = field(default_factory=dict)

    def is_of(self, launch: dict[str, Any]) -> bool:
        """Whether the emulator's launch is the same one."""

        def size(key: str) -> str:
            return f"({', '.join(str(n) for n in launch[key])})"

        name = re.sub(r".*::|<.*", "", launch["kernel"]).strip()
        return name == self.kernel and (size("grid"), size("block")) == (self.grid, self.block)


class Profiler(Protocol):
    """`metrics` has the profiler's name of what the emulator counts: (kind of access, count)."""

    @property
    def name(self) -> str: ...

    @property
    def seconds(self) -> float:
        """How long it may run."""

    @property
    def metrics(self) -> Mapping[tuple[str, str], str]: ...

    def version(self) -> str | None:
        """None where it is not installed."""

    def count(self, command: list[str], work: Path) -> list[Launch]:
        """The launches of a command, in order, with files in `work`. Raises InfraError."""

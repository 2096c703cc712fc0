"""The interface of a profiler, a tool that reads a GPU's counters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tilelab.model import profile


@dataclass
class Launch:
    """One launch as the profiler saw it, with sizes as it writes them: "(256, 1, 1)"."""

    kernel: str
    grid: str
    block: str
    counts: dict[str, int] = field(default_factory=dict)

    def is_of(self, launch: profile.Launch) -> bool:
        """Whether the emulator's `launch` has the same kernel and size."""
        name = re.sub(r".*::|<.*", "", launch.kernel).strip()
        return (name, str(launch.grid), str(launch.block)) == (self.kernel, self.grid, self.block)


class Profiler(Protocol):
    """Counts what kernels do on a GPU.

    `metrics` maps what the emulator counts, (kind of access, count), to the profiler's name for it.
    """

    @property
    def name(self) -> str: ...

    @property
    def seconds(self) -> float:
        """The time limit of a run."""

    @property
    def metrics(self) -> Mapping[tuple[str, str], str]: ...

    def version(self) -> str | None:
        """The installed version, None if it is not installed."""

    def count(self, command: list[str], work: Path) -> list[Launch]:
        """Runs a command and returns its launches in order. Keeps files in `work`.

        Raises InfraError.
        """

"""What the submissions of one command share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilelab import backends
from tilelab.base import system
from tilelab.pipeline.toolchain import Toolchain
from tilelab.sandbox import jail


@dataclass(frozen=True)
class Session:
    """What all submissions of a command share.

    With several toolchains a test passes if it passes on each: so a GPU takes away no points that
    the emulator gives, and gives none that the emulator does not.
    """

    toolchains: Sequence[Toolchain]
    seed: int

    @property
    def presets(self) -> str:
        return " and ".join(toolchain.preset for toolchain in self.toolchains)

    def machine(self) -> dict[str, str | None]:
        """The machine, as the records describe it."""
        device = backends.device()
        return {
            "gpu": device.name if device else None,
            "backend": self.presets,
            "compiler": "; ".join(toolchain.compiler for toolchain in self.toolchains),
            "sandbox": jail.name(),
            "host os": system.os_name(),
        }

"""A session: the backends and the seed that all submissions of a command share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab import backends
from tilelab.base import system
from tilelab.pipeline import referee
from tilelab.pipeline.toolchain import Toolchain
from tilelab.sandbox import jail


@dataclass(frozen=True)
class Session:
    """What all submissions of a command share.

    With several toolchains, a test has to pass on each of them. `criteria_at_once` is how many
    criteria of a submission are judged at the same time.
    """

    toolchains: Sequence[Toolchain]
    seed: int
    criteria_at_once: int = 1

    @property
    def presets(self) -> str:
        return " and ".join(toolchain.preset for toolchain in self.toolchains)

    def sharing(self, folder: Path) -> Session:
        """The same session, whose judges observe the labs' own kernels once for all submissions.

        They keep in `folder` what they saw.
        """
        return replace(self, toolchains=[tool.sharing(folder) for tool in self.toolchains])

    def machine(self) -> dict[str, str | None]:
        """Describes this machine for the records."""
        device = backends.device()
        return {
            "gpu": device.name if device else None,
            "backend": self.presets,
            "compiler": "; ".join(toolchain.compiler for toolchain in self.toolchains),
            "referee": referee.name(self.toolchains),
            "sandbox": jail.name(),
            "system call filter": self._filter(),
            "host os": system.os_name(),
        }

    def _filter(self) -> str | None:
        filtered = all(toolchain.filters_calls for toolchain in self.toolchains)
        return "seccomp" if filtered else None

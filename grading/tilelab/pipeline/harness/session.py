"""A session: the backends and the seed that all submissions of a command share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab import backends
from tilelab.backends import nvidia
from tilelab.backends.base import Backend
from tilelab.base import system
from tilelab.base.errors import UserError
from tilelab.base.repository import BUILD
from tilelab.pipeline.harness import missing, shipped, steps, toolchain
from tilelab.pipeline.harness.steps import Tell
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.sandbox import jail, seccomp

# How records describe a machine.
Machine = dict[str, str | None]


@dataclass(frozen=True)
class Session:
    """What all submissions of a command share.

    With several toolchains, a test has to pass on each of them. `criteria_at_once` is how many
    criteria of a submission are judged at the same time. `elsewhere` describes the machine that
    examines them, if it is not this one, which then needs no toolchain. With `keeps_calls`, results
    have what was counted of a submission's calls.
    """

    toolchains: Sequence[Toolchain]
    seed: int
    criteria_at_once: int = 1
    elsewhere: Machine | None = None
    keeps_calls: bool = False

    @property
    def presets(self) -> str:
        return " and ".join(toolchain.preset for toolchain in self.toolchains)

    def sharing(self, folder: Path) -> Session:
        """The same session, whose judges observe the labs' own kernels once for all submissions.

        They keep in `folder` what they saw.
        """
        return replace(self, toolchains=[tool.sharing(folder) for tool in self.toolchains])

    def of_own_files(self) -> Session:
        """The same session, for files of ours: later sessions know which of them nvcc took."""
        accepted = BUILD / "accepted_by_nvcc"
        return replace(self, toolchains=[replace(t, accepted=accepted) for t in self.toolchains])

    def machine(self) -> Machine:
        """Describes the machine for the records."""
        if self.elsewhere is not None:
            return self.elsewhere
        device = backends.device()
        return {
            "gpu": device.name if device else None,
            "backend": self.presets,
            "compiler": "; ".join(toolchain.compiler for toolchain in self.toolchains),
            "referee": self._referee(),
            "nvdisasm": self._estimator(),
            "sandbox": jail.name(),
            "system call filter": self._filter(),
            "host os": system.os_name(),
        }

    def _referee(self) -> str | None:
        """The compiler that every submission has to satisfy, None if this machine has none."""
        is_there = any(tool.backend.is_referee for tool in self.toolchains) or nvidia.nvcc()
        return f"nvcc {nvidia.nvcc_version()}" if is_there else None

    def _estimator(self) -> str | None:
        """The nvdisasm with which times are estimated, None if a GPU measures them, or none is."""
        is_timed = any(tool.backend.measures_time for tool in self.toolchains)
        return None if is_timed or missing.for_estimates() else nvidia.nvdisasm_version()

    def _filter(self) -> str | None:
        filtered = all(toolchain.filters_calls for toolchain in self.toolchains)
        return "seccomp" if filtered else None


def prepare(
    preset: str | None,
    labs: Sequence[str] | None,
    *,
    without_seccomp: bool,
    estimates: bool = False,
    tell: Tell = steps.nobody,
) -> list[Toolchain]:
    """Builds the harness of some labs, or of all, for one backend, or for all that can grade here.

    The estimator takes long to build, so it is built only if `estimates` are wanted.
    Raises InfraError, and UserError where the system cannot filter system calls and that is not
    accepted.
    """
    used = _used(preset)
    estimates = estimates and missing.for_estimates() is None
    return [
        _filtered(
            toolchain.prepare(one.preset, labs, estimates=estimates, tell=tell), without_seccomp
        )
        for one in used
    ]


def misfits(preset: str | None, labs: Sequence[str]) -> list[str]:
    """Why an installed harness cannot judge these labs here, so that prepare() builds another."""
    found = (shipped.misfit(one, tuple(labs)) for one in _used(preset))
    return [why for why in found if why]


def _used(preset: str | None) -> list[Backend]:
    used = [backends.named(preset)] if preset else backends.default() or [backends.BACKENDS[0]]
    for backend in used:
        backends.assert_usable(backend)
    return used


def _filtered(tool: Toolchain, without_seccomp: bool) -> Toolchain:
    if seccomp.works(tool.confine):
        return tool
    if not without_seccomp:
        raise UserError(
            "this system cannot filter system calls (seccomp), which keeps a submission from "
            "reaching other processes: use another machine, or accept that by --without-seccomp"
        )
    return replace(tool, filters_calls=False)

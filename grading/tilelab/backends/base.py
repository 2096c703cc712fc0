"""The interface of a backend."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from tilelab.backends.profiler import Profiler


@dataclass(frozen=True)
class Device:
    """A GPU, as its driver names it."""

    name: str
    driver: str
    uuid: str


@dataclass(frozen=True)
class Part:
    """A program or device that a machine may have.

    `found` is its version or name, or None if the machine does not have it.
    """

    what: str
    found: str | None
    without: str  # what the user loses if it is missing


@dataclass(frozen=True)
class SymbolRules:
    """The symbols that this backend's compilers and runtime add to a submission's object.

    `runtime` and `checked` are regular expressions for whole names. `checked` applies to checked
    builds only. `redirected` maps names that checked objects have to those in the source.
    """

    runtime: tuple[str, ...]
    checked: tuple[str, ...] = ()
    startup: frozenset[str] = frozenset()  # functions that its compiler runs before main
    kept: tuple[str, ...] = ()  # symbols that other objects need; * matches anything
    redirected: Mapping[str, str] = field(default_factory=dict, hash=False)


class Backend:
    """Compiles and runs submissions. The defaults suit a backend that runs on the CPU."""

    preset: ClassVar[str]  # the name of its CMake preset, which --backend takes
    is_default: ClassVar[bool] = True  # whether it is used, if it can run, unless one is named
    has_checked_build: ClassVar[bool] = False  # a build that observes every memory access
    is_referee: ClassVar[bool] = False  # whether what it compiles is CUDA C++ by definition
    gpu: ClassVar[str | None] = None  # the kind of GPU that it needs
    profiler: ClassVar[Profiler | None] = None

    @property
    def needs_gpu(self) -> bool:
        return self.gpu is not None

    @property
    def measures_time(self) -> bool:
        """Whether it can time kernels: a CPU's time says nothing about a GPU's."""
        return self.needs_gpu

    def symbols(self) -> SymbolRules:
        raise NotImplementedError

    def missing_tool(self) -> str | None:
        """What must be installed before it can compile; None if nothing is missing."""
        raise NotImplementedError

    def missing(self) -> str | None:
        """What this machine needs to compile and run submissions; None if nothing is missing."""
        if tool := self.missing_tool():
            return tool
        if self.needs_gpu and self.device() is None:
            return f"{self.gpu}; this machine has none"
        return None

    def devices(self) -> Sequence[Device]:
        """The GPUs that submissions run on, all of one kind."""
        return ()

    def device(self) -> Device | None:
        """The first of them."""
        return next(iter(self.devices()), None)

    def capability(self) -> tuple[int, int] | None:
        """The compute capability that all its GPUs have at least; None if it is emulated."""
        return None

    def only(self, device: Device) -> Mapping[str, str]:
        """The environment in which a judge and its workers use this GPU."""
        raise NotImplementedError

    def device_files(self) -> list[Path]:
        """The device files that a program opens to use the GPU."""
        return []

    def environment(self) -> Mapping[str, str]:
        """The environment for programs that build or use this backend."""
        return os.environ

    def parts(self) -> Iterator[Part]:
        """Everything that the backend uses, and whether this machine has it."""
        raise NotImplementedError

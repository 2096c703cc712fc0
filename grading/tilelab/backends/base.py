"""What the rest of the package may ask a backend."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
    """Something that a machine may have. `found` is a version or a name, None if it is absent."""

    what: str
    found: str | None
    without: str  # what happens then


@dataclass(frozen=True)
class SymbolRules:
    """What this backend's compilers and runtime bring into the object of a submission.

    `runtime` and `checked` are patterns of whole names. `checked` holds for a checked build alone.
    """

    runtime: tuple[str, ...]
    checked: tuple[str, ...] = ()
    startup: frozenset[str] = frozenset()  # functions that its compiler lets run before main
    kept: tuple[str, ...] = ()  # what the linker needs across objects; may hold *


class Backend:
    """A way to compile and run submissions. The defaults are those of a CPU."""

    preset: ClassVar[str]  # of CMake, and what --backend takes
    is_default: ClassVar[bool] = True  # used without being asked for, wherever it can run
    has_checked_build: ClassVar[bool] = False  # one that observes what kernels do with memory
    gpu: ClassVar[str | None] = None  # the kind of GPU that it needs
    profiler: ClassVar[Profiler | None] = None

    @property
    def needs_gpu(self) -> bool:
        return self.gpu is not None

    @property
    def measures_time(self) -> bool:
        """The time that a CPU takes says nothing about a GPU."""
        return self.needs_gpu

    def symbols(self) -> SymbolRules:
        raise NotImplementedError

    def missing_tool(self) -> str | None:
        """What must be installed before anything can be compiled; None if nothing is missing."""
        raise NotImplementedError

    def missing(self) -> str | None:
        """What this machine lacks to compile and run submissions; None if nothing is missing."""
        if tool := self.missing_tool():
            return tool
        if self.needs_gpu and self.device() is None:
            return f"{self.gpu}; this machine shows none"
        return None

    def device(self) -> Device | None:
        """The GPU that submissions run on."""
        return None

    def device_files(self) -> list[Path]:
        """What a program has to open to use the GPU."""
        return []

    def environment(self) -> Mapping[str, str]:
        """The environment for programs that build or use this backend."""
        return os.environ

    def parts(self) -> Iterator[Part]:
        """What this machine has of all that the backend uses."""
        raise NotImplementedError

"""`tilelab doctor`: what is here, and what each absence costs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tilelab.backends import machine
from tilelab.sandbox import jail


@dataclass(frozen=True)
class Finding:
    """`found` is a version or a name, None if the thing is absent."""

    what: str
    found: str | None
    cost: str


def findings() -> Iterator[Finding]:
    """Looks at everything that a command can make use of."""
    yield Finding("g++", machine.version("g++"), "clang++ can compile the labs instead")
    yield Finding("clang++", machine.version("clang++"), "the labs are tested with g++ alone")
    yield Finding("CMake", machine.version("cmake"), "nothing can be built")
    yield Finding("Ninja", machine.version("ninja"), "nothing can be built")
    yield Finding("Catch2", machine.catch2_version(), "the tests cannot be built")
    nvcc = machine.nvcc()
    yield Finding(
        "CUDA Toolkit",
        machine.version(nvcc) if nvcc else None,
        "labs run on the emulator alone",
    )
    gpu = machine.gpu()
    yield Finding(
        "NVIDIA GPU",
        f"{gpu.name}, driver {gpu.driver}" if gpu else None,
        "speed is not graded (NOT RUN)",
    )
    yield _sandbox()
    yield Finding(
        "Slurm",
        machine.version("sbatch") or ("present" if shutil.which("sbatch") else None),
        "a class is graded on this machine, not on a cluster",
    )


def show(console: Console) -> None:
    """Prints the table."""
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("", "Found", "Without it"):
        table.add_column(heading)
    for finding in findings():
        found = f"[green]{escape(finding.found)}[/]" if finding.found else "[yellow]no[/]"
        table.add_row(finding.what, found, "" if finding.found else finding.cost)
    backends = " and ".join(machine.default_backends())
    console.print(f"{machine.os_name()}; backend: {backends}")
    console.print(table)


def _sandbox() -> Finding:
    cost = "submissions are compiled and run with your rights"
    if jail.bubblewrap() is None and shutil.which("bwrap"):
        cost += " (bubblewrap is installed, but this system lets it make no namespaces)"
    return Finding("Sandbox", jail.name() if jail.bubblewrap() else None, cost)

"""What is on a machine that was not there before: processes, files, and memory of the GPU.

Meanwhile nobody else should use the machine.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tilelab.base import system

# The driver gives memory back a moment after a process has ended.
_PATIENCE_SECONDS = 10
# The driver's own use changes by a few MiB.
_SMALL_MIB = 64


@dataclass(frozen=True)
class State:
    """Processes by number with their names, files of temporary folders, and MiB that are used."""

    processes: frozenset[tuple[int, str]]
    files: frozenset[Path]
    gpu_mib: int

    @classmethod
    def now(cls) -> State:
        folders = (Path("/dev/shm"), Path("/dev/mqueue"), Path(tempfile.gettempdir()))
        files = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
        used = system.output("nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader")
        return cls(frozenset(_processes()), frozenset(files), int(used.split()[0]))


def _processes() -> list[tuple[int, str]]:
    """All but those of the kernel, which have no command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes() and int(folder.name) != os.getpid():
                found.append((int(folder.name), (folder / "comm").read_text().strip()))
        except OSError:  # it ended meanwhile
            continue
    return found


def new_in(after: State, before: State) -> str:
    """What is left, in words. Waits a moment for the driver."""
    for _ in range(_PATIENCE_SECONDS):
        if not _said(after, before):
            break
        time.sleep(1)
        after = State.now()
    return ", ".join(_said(after, before)) or "nothing"


def _said(after: State, before: State) -> list[str]:
    said = [f"process {name}" for _, name in sorted(after.processes - before.processes)]
    said += [f"file {path}" for path in sorted(after.files - before.files)]
    grown = after.gpu_mib - before.gpu_mib
    return [*said, *([f"{grown} MiB of the GPU"] if grown > _SMALL_MIB else [])]

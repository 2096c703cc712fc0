"""Names the machine that made a page."""

from __future__ import annotations

import os
import platform
from pathlib import Path

# A load above this many threads per core slows down what is measured.
_BUSY = 1.5


def machine() -> str:
    """Its cores, processor and system: "2 cores of AMD EPYC, Debian GNU/Linux 12 (bookworm)"."""
    cores = len(os.sched_getaffinity(0))
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    return f"{cores} {'core' if cores == 1 else 'cores'} of {processor()}, {system}"


def is_busy() -> bool:
    """Whether other programs have kept the machine busy in the last minutes."""
    return os.getloadavg()[1] > _BUSY * len(os.sched_getaffinity(0))


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()

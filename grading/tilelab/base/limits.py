"""The limits of the shell that runs a command (ulimit), which its workers inherit.

A limit that is too low looks like a mistake of the submission: a bad_alloc, a signal, a file that
cannot be written.
"""

from __future__ import annotations

import resource

from tilelab.base.errors import InfraError

_MIB = 1024 * 1024

# What a worker and the tools need: resource, option of ulimit, name, amount, the amount's unit.
_NEEDED = (
    # A worker reserves much more address space than it uses.
    (resource.RLIMIT_AS, "v", "the address space", 24 * 1024 * _MIB, _MIB, "MiB"),
    (resource.RLIMIT_DATA, "d", "the memory of a process", 24 * 1024 * _MIB, _MIB, "MiB"),
    (resource.RLIMIT_FSIZE, "f", "the size of a file", 1024 * _MIB, _MIB, "MiB"),
    (resource.RLIMIT_STACK, "s", "the stack", 4 * _MIB, _MIB, "MiB"),
    (resource.RLIMIT_CPU, "t", "the processor time", 3600, 1, "s"),
    (resource.RLIMIT_NOFILE, "n", "the number of open files", 256, 1, "files"),
)


def ensure() -> None:
    """Raises limits that are too low, as far as the system lets us. Raises InfraError if not."""
    for what, option, name, needed, unit, unit_name in _NEEDED:
        soft, hard = resource.getrlimit(what)
        if _is_enough(soft, needed):
            continue
        if not _is_enough(hard, needed):
            raise InfraError(
                f"this shell limits {name} to {hard // unit:,} {unit_name} (ulimit -{option}), but "
                f"{needed // unit:,} are needed: raise the limit and try again."
            )
        resource.setrlimit(what, (needed, hard))


def _is_enough(limit: int, needed: int) -> bool:
    return limit == resource.RLIM_INFINITY or limit >= needed

"""Makes local what others need not see of an object."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilelab.sandbox import binutils


def localize(compiled: Path, kept: Sequence[str]) -> None:
    """Keeps a submission from replacing functions of the worker or of a library."""
    # Inline functions come in groups. The linker keeps one copy of a group for all objects, and
    # that must not be a copy whose functions are now local. So the groups are dissolved first.
    dissolved = compiled.with_suffix(".dissolved.o")
    argv = ["ld", "-r", "--force-group-allocation", str(compiled), "-o", str(dissolved)]
    binutils.run(argv, compiled.parent)
    dissolved.replace(compiled)
    keep = [f"--keep-global-symbol={name}" for name in kept]
    binutils.run(["objcopy", "--wildcard", *keep, str(compiled)], compiled.parent)

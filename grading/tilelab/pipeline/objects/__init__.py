"""The fourth stage: what a compiled object may define, need and start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tilelab.pipeline.objects import check
from tilelab.pipeline.records.stages import Checked, Compiled
from tilelab.sandbox import binutils


def inspect(compiled: Compiled, also: Sequence[str] = ()) -> Checked:
    """Makes local what the tests do not call. `also` are further names that it may need.

    Raises Rejected, CompileError or InfraError.
    """
    toolchain, source_name = compiled.toolchain, f"{compiled.lab.name}.cu"
    rules = toolchain.backend.symbols()
    rules = replace(rules, runtime=(*rules.runtime, *also))
    entries = check.wanted_entries(toolchain.dispatch_object(compiled.lab.name))
    checked = toolchain.build.is_checked
    check.check(compiled.object, entries, source_name, rules, checked=checked, text=compiled.text)
    localize(compiled.object, [*entries, *rules.kept])
    return Checked(compiled.lab, toolchain, compiled.work, compiled.object)


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

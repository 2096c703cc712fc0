"""The fourth stage: what a compiled object may define, need and start."""

from __future__ import annotations

from tilelab.pipeline.objects import check
from tilelab.pipeline.objects.localizing import localize
from tilelab.pipeline.records.stages import Checked, Compiled


def inspect(compiled: Compiled) -> Checked:
    """Makes local what the tests do not call. Raises Rejected, CompileError or InfraError."""
    toolchain, source_name = compiled.toolchain, f"{compiled.lab.name}.cu"
    rules = toolchain.backend.symbols()
    entries = check.wanted_entries(toolchain.dispatch_object(compiled.lab.name))
    checked = toolchain.build.is_checked
    check.check(compiled.object, entries, source_name, rules, checked=checked)
    localize(compiled.object, [*entries, *rules.kept])
    return Checked(compiled.lab, toolchain, compiled.work, compiled.object)

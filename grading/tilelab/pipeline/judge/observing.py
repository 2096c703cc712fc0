"""What kernels do with memory, as a lab's tests of memory observe it."""

from __future__ import annotations

from collections.abc import Iterable

from tilelab.base.errors import UserError
from tilelab.model.lab import Lab
from tilelab.model.profile import Call
from tilelab.pipeline import judge
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.toolchain import Toolchain


def observe(lab: Lab, toolchain: Toolchain, workers: Workers, seed: int) -> list[Call]:
    """The calls of the lab's tests of memory, as a judge reports them, each once.

    Raises UserError if there are none, or InfraError.
    """
    judgment = judge.run(lab, toolchain, "memory", workers, seed, profile=True)
    if not judgment.calls:
        # Then the tests say why.
        said = [text for case in judgment.cases for text in case.texts]
        raise UserError("; ".join(said) or "nothing was observed")
    return list(different(judgment.calls))


def different(calls: Iterable[Call]) -> tuple[Call, ...]:
    """The calls, each once: several tests may have made the same one."""
    first: dict[str, Call] = {}
    for call in calls:
        first.setdefault(call.call, call)
    return tuple(first.values())

"""What is found out about a file before anything is asked about it."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab.base.errors import CompileError, UserError
from tilelab.base.files import work_folder
from tilelab.model.evidence import CriterionEvidence
from tilelab.model.lab import Lab
from tilelab.model.profile import Call
from tilelab.picture import run
from tilelab.picture.run import Picture
from tilelab.pipeline import intake, texts
from tilelab.pipeline.evidence import testing
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import Workers, events, observing
from tilelab.pipeline.records.stages import Inspected, Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import making

# Small enough to work out by hand, and large enough for several blocks.
_BLOCKS = (4, 8)
_MOST_TIMES_USUAL = 3


@dataclass(frozen=True)
class Evidence:
    """A file, what its kernels do on a small input and in the tests of memory, and what it passes.

    `picture` is None and `calls` are empty where the lab has no such tests, or they saw nothing.
    `passed` are the first criteria of the lab, as long as the file passes all of their tests.
    """

    inspected: Inspected
    toolchain: Toolchain
    seed: int
    picture: Picture | None
    calls: tuple[Call, ...]
    passed: tuple[str, ...]


def of(path: Path, lab: Lab, session: Session, draw: random.Random) -> Evidence:
    """Runs a file behind the walls of every submission.

    Raises Rejected, CompileError, UserError or InfraError.
    """
    tool = next((one for one in session.toolchains if one.build.is_checked), None)
    if tool is None:
        raise UserError(f"the backend {session.presets} has no checked build")
    inspected = texts.inspect(intake.read(path), lab)
    alone = replace(session, toolchains=[tool])
    with work_folder() as work, making.make(inspected, [tool], work) as (workers, ruled):
        tested = testing.test(workers, ruled, inspected, alone, events.nobody)
        calls = _calls(lab, workers[0], session.seed)
    passed = itertools.takewhile(lambda one: _is_passed(tested.criteria[one]), tested.criteria)
    return Evidence(
        inspected, tool, session.seed, _picture(path, lab, alone, draw), calls, tuple(passed)
    )


def _is_passed(criterion: CriterionEvidence) -> bool:
    return bool(criterion.cases) and all(case.passed for case in criterion.cases)


def _calls(lab: Lab, worker: Worker, seed: int) -> tuple[Call, ...]:
    started = Workers({"submission": worker.program}, worker.source)
    try:
        return tuple(observing.observe(lab, worker.toolchain, started, seed))
    except UserError:
        return ()


def _picture(path: Path, lab: Lab, session: Session, draw: random.Random) -> Picture | None:
    sizes = run.sizes(lab)
    block = draw.choice(_BLOCKS)
    drawn = []
    if sizes:
        usual, _, most = sizes
        drawn = [draw.randint(usual, min(most, _MOST_TIMES_USUAL * usual))]
    for size in [*drawn, None]:
        try:
            return run.draw(path, lab, session, size, block)
        except (UserError, CompileError):
            continue
    return None

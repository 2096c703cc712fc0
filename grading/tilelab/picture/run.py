"""Runs a submission and the baseline on a small input, and collects all that a picture shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilelab.base.errors import CompileError, UserError
from tilelab.base.files import work_folder
from tilelab.base.text import one_line
from tilelab.picture.blocks import Copy, with_block
from tilelab.picture.shared_arrays import SharedArray, shared_arrays
from tilelab.pipeline import build, intake, judge
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.session import Session
from tilelab.pipeline.toolchain import Toolchain
from tilelab.score.lab import Lab

Json = dict[str, Any]


@dataclass(frozen=True)
class Side:
    """One of the two kernels of a picture. `calls` has the judge's event of each call."""

    name: str  # of the file
    text: str
    note: str
    shared: list[SharedArray]
    calls: list[Json]


@dataclass(frozen=True)
class Picture:
    """What `tilelab show` draws."""

    lab: Lab
    seed: int
    own: Side
    baseline: Side


def draw(path: Path, lab: Lab, session: Session, size: int | None, block: int) -> Picture:
    """Runs the lab's picture test with a file, in blocks of `block` threads where that is possible.

    Raises Rejected, CompileError, UserError or InfraError.
    """
    if not _has_picture(lab):
        raise UserError(f"{lab.name} draws no picture: its judge has no test with the tag [show]")
    tool = next((one for one in session.toolchains if one.checked), None)
    if tool is None:
        raise UserError(f"the backend {session.presets} has no checked build")
    text = intake.read(path).text
    name = one_line(path.name)
    baseline = with_block(intake.read(lab.baseline).text, block, lab.baseline.name)
    copy = with_block(text, block, name)
    calls = _try(copy, baseline, lab, tool, session.seed, size)
    if copy.text != text and not _is_as_asked(_of("submission", calls or []), copy):
        # The picture must not blame the file for what only the copy does.
        original = Copy(text)
        calls_of_original = _run(original, baseline, lab, tool, session.seed, size)
        if calls is None or _is_right(_of("submission", calls_of_original)):
            note = f"{name} is shown with its own block size: a copy with {copy.change} "
            copy = Copy(text, note + "does not do the same.")
            calls = calls_of_original
    assert calls is not None
    return Picture(
        lab,
        session.seed,
        _side(name, copy, _of("submission", calls)),
        _side(lab.baseline.name, baseline, _of("baseline", calls)),
    )


def _has_picture(lab: Lab) -> bool:
    text = (lab.repo / "tests" / "labs" / lab.name / "judge.cpp").read_text(encoding="utf-8")
    return '"[show]"' in text


def _side(name: str, copy: Copy, calls: list[Json]) -> Side:
    return Side(name, copy.text, copy.note, shared_arrays(copy.text), calls)


def _of(worker: str, calls: Sequence[Json]) -> list[Json]:
    return [call for call in calls if call["worker"] == worker]


def _try(
    copy: Copy, baseline: Copy, lab: Lab, tool: Toolchain, seed: int, size: int | None
) -> list[Json] | None:
    """The calls of a copy; None if only the change keeps it from running."""
    try:
        return _run(copy, baseline, lab, tool, seed, size)
    except (CompileError, UserError):
        if not copy.change:
            raise
        return None


def _run(
    copy: Copy, baseline: Copy, lab: Lab, tool: Toolchain, seed: int, size: int | None
) -> list[Json]:
    with work_folder() as work, ThreadPoolExecutor(2) as pool:
        made = {
            name: pool.submit(_worker, source.text, lab, tool, work / name)
            for name, source in (("submission", copy), ("baseline", baseline))
        }
        programs = {name: future.result() for name, future in made.items()}
        workers = Workers(programs, build.source_in(work / "submission", lab))
        judgment = judge.run(lab, tool, "show", workers, seed, picture_size=size)
        if not _of("submission", judgment.pictures):
            # Then the test says why.
            said = [text for case in judgment.cases for text in case.texts]
            raise UserError("; ".join(said) or "nothing was observed")
        return judgment.pictures


def _worker(text: str, lab: Lab, tool: Toolchain, folder: Path) -> Path:
    folder.mkdir()
    return build.make_worker(text, lab, tool, folder, tool.checked)


def _is_as_asked(calls: list[Json], copy: Copy) -> bool:
    """Whether the copy is right, and all its blocks have the size that it was changed to."""
    sizes = {math.prod(launch["block"]) for call in calls for launch in call["launches"]}
    return sizes == {copy.size} and _is_right(calls)


def _is_right(calls: list[Json]) -> bool:
    return bool(calls) and not any(
        call["failure"] or output["wrong"] for call in calls for output in call["outputs"]
    )

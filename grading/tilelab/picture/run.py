"""Runs a submission and the baseline on a small input, and collects all that a picture shows."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import CompileError, UserError
from tilelab.base.files import work_folder
from tilelab.base.text import one_line
from tilelab.model.lab import Lab
from tilelab.model.picture import DrawnCall
from tilelab.picture.blocks import Copy, with_block
from tilelab.picture.shared_arrays import SharedArray, shared_arrays
from tilelab.pipeline import intake, judge, texts
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.stages import Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import making

_SIZES = re.compile(r"picture_size\((\d+), (\d+), (\d+)\)")


@dataclass(frozen=True)
class Side:
    """One of the two kernels of a picture. `calls` are as the judge describes them.

    `text` is that of the file, with the `change` that makes its blocks small, if there is one.
    """

    name: str  # of the file
    text: str
    change: str
    note: str
    shared: list[SharedArray]
    calls: list[DrawnCall]


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
    tool = next((one for one in session.toolchains if one.build.is_checked), None)
    if tool is None:
        raise UserError(f"the backend {session.presets} has no checked build")
    text = intake.read(path).text
    name = one_line(path.name)
    baseline = with_block(intake.read(lab.baseline).text, block, lab.baseline.name)
    runner = _Runner(lab, tool, session.seed, size, baseline)
    copy, calls = _choose(Copy(text), with_block(text, block, name), name, runner)
    return Picture(
        lab,
        session.seed,
        _side(lab, name, copy, _of("submission", calls)),
        _side(lab, lab.baseline.name, baseline, _of("baseline", calls)),
    )


@dataclass(frozen=True)
class _Runner:
    """Runs sources next to the baseline, all on the same input."""

    lab: Lab
    tool: Toolchain
    seed: int
    size: int | None
    baseline: Copy

    def run(self, copy: Copy) -> list[DrawnCall]:
        """The judge's events. Raises UserError if there is none of the submission."""
        with work_folder() as work, ThreadPoolExecutor(2) as pool:
            building = {
                name: pool.submit(self._worker, source.text, work / name)
                for name, source in (("submission", copy), ("baseline", self.baseline))
            }
            made = {name: future.result() for name, future in building.items()}
            programs = {name: one.program for name, one in made.items()}
            workers = Workers(programs, made["submission"].source)
            judgment = judge.run(
                self.lab, self.tool, "show", workers, self.seed, picture_size=self.size
            )
        if not _of("submission", judgment.pictures):
            # Then the test says why.
            said = [text for case in judgment.cases for text in case.texts]
            raise UserError("; ".join(said) or "nothing was observed")
        return judgment.pictures

    def _worker(self, text: str, folder: Path) -> Worker:
        folder.mkdir()
        return making.make_one(texts.inspect(intake.of(text), self.lab), self.tool, folder)


def _choose(original: Copy, copy: Copy, name: str, runner: _Runner) -> tuple[Copy, list[DrawnCall]]:
    """The copy, or the file itself if the copy does something else; and what it did."""
    if not copy.change:
        return copy, runner.run(copy)
    try:
        calls = runner.run(copy)
    except (CompileError, UserError):
        calls = []
    if not calls or not _is_as_asked(_of("submission", calls), copy):
        note = (
            f"{name} is shown with its own block size: a copy with {copy.change} does not run so."
        )
        return dataclasses.replace(original, note=note), runner.run(original)
    if _is_right(_of("submission", calls)) or not _is_right(
        _of("submission", runner.run(original))
    ):
        return copy, calls
    # The picture must not blame the file for what only the copy does.
    why = (
        f" {name} itself gets this input right: either its mistake shows only with several blocks, "
        "or something in it needs its own block size."
    )
    return dataclasses.replace(copy, note=copy.note + why), calls


def sizes(lab: Lab) -> tuple[int, int, int] | None:
    """The usual, the least and the largest size of the lab's picture. None if it has only one."""
    found = _SIZES.search(_judge(lab))
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _has_picture(lab: Lab) -> bool:
    return '"[show]"' in _judge(lab)


def _judge(lab: Lab) -> str:
    return (lab.repo / "tests" / "labs" / lab.name / "judge.cpp").read_text(encoding="utf-8")


def _side(lab: Lab, name: str, copy: Copy, calls: list[DrawnCall]) -> Side:
    header = lab.header.read_text(encoding="utf-8")
    return Side(name, copy.text, copy.change, copy.note, shared_arrays(copy.text, header), calls)


def _of(worker: str, calls: Sequence[DrawnCall]) -> list[DrawnCall]:
    return [call for call in calls if call.worker == worker]


def _is_as_asked(calls: list[DrawnCall], copy: Copy) -> bool:
    """Whether all blocks have the size that the copy was changed to, in all or per direction."""
    blocks = [launch.block for call in calls for launch in call.launches]
    return all(
        math.prod(block) == copy.size or {size for size in block if size > 1} == {copy.size}
        for block in blocks
    )


def _is_right(calls: list[DrawnCall]) -> bool:
    return bool(calls) and not any(
        call.failure or output.wrong for call in calls for output in call.outputs
    )

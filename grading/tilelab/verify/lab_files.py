"""Checks that each file of a lab gets the verdict that it should."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from tilelab.base import process
from tilelab.base.errors import UserError
from tilelab.base.heads import head_line
from tilelab.base.text import shorten
from tilelab.model.lab import Lab
from tilelab.model.result import CriterionResult, Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness import needs
from tilelab.pipeline.harness.session import Session
from tilelab.tutor import advice
from tilelab.tutor.progress import Progress
from tilelab.verify import consistency, mistakes

Kind = Literal["skeleton", "baseline", "reference", "ladder", "mistakes"]

_LENGTH = 500


@dataclass(frozen=True)
class Check:
    """One file of a lab. `problem()` grades it and says what is wrong with the result, or None.

    It is graded on those of the session's backends that have what its head says it needs.
    """

    lab: Lab
    kind: Kind
    path: Path
    _problem: Callable[[Path, Lab, Session], str | None]

    def problem(self, session: Session) -> str | None:
        try:
            able = needs.able(self.path, session.toolchains)
        except UserError:
            return None  # consistency reports it
        if able:
            only = dataclasses.replace(session, toolchains=able)
            said = self._problem(self.path, self.lab, only)
        else:
            said = "needs a newer GPU, as its head says"
        return f"{self.path.relative_to(self.lab.repo)}: {said}" if said else None


@dataclass(frozen=True)
class Findings:
    """The problems of one lab, in its texts and its files, and how many files are right."""

    lab: Lab
    texts: list[str]
    files: list[str]
    good: dict[Kind, int]
    total: dict[Kind, int]

    @property
    def problems(self) -> list[str]:
        return self.texts + self.files


def checks(lab: Lab) -> list[Check]:
    """The checks of all files that a lab has. `consistency` reports missing files."""
    made = [
        Check(lab, "skeleton", lab.skeleton, _skeleton),
        Check(lab, "baseline", lab.baseline, _baseline),
        Check(lab, "reference", lab.reference, _reference),
    ]
    made += [Check(lab, "ladder", path, _step) for path in lab.ladder + lab.challengers]
    made += [Check(lab, "mistakes", path, _mistake) for path in mistakes.paths(lab)]
    return [check for check in made if check.path.is_file()]


def verify(
    labs: Sequence[Lab], session: Session, jobs: int, done: Callable[[], None]
) -> list[Findings]:
    """Runs all checks, `jobs` at a time, and calls `done` after each."""
    tools = session.toolchains
    broken = {name: tool.says_broken(name) for tool in tools for name in tool.broken}
    made = {
        lab.name: [] if lab.name in broken or consistency.unreadable(lab) else checks(lab)
        for lab in labs
    }

    def run(check: Check) -> str | None:
        problem = check.problem(session)
        done()
        return problem

    with ThreadPoolExecutor(jobs) as pool:
        try:
            running = {
                name: [(check.kind, pool.submit(run, check)) for check in of_lab]
                for name, of_lab in made.items()
            }
            said = {
                name: [(kind, future.result()) for kind, future in of_lab]
                for name, of_lab in running.items()
            }
        except BaseException:  # Ctrl-C, or a bug of ours: stop everything that runs
            process.stop_all()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return [
        _findings(lab, said[lab.name], [broken[lab.name]] if lab.name in broken else [])
        for lab in labs
    ]


def _findings(lab: Lab, said: Sequence[tuple[Kind, str | None]], broken: Sequence[str]) -> Findings:
    good: dict[Kind, int] = {}
    total: dict[Kind, int] = {}
    for kind, problem in said:
        total[kind] = total.get(kind, 0) + 1
        good[kind] = good.get(kind, 0) + (problem is None)
    files = [problem for _, problem in said if problem]
    return Findings(lab, [*broken, *consistency.problems(lab)], files, good, total)


def _skeleton(path: Path, lab: Lab, session: Session) -> str | None:
    result = _grade(path, lab, session)
    if result.verdict != "graded":
        return _unusable(result)
    if not _unfinished(result, {"correctness"}):
        return "the skeleton passes the correctness tests"
    text = path.read_text(encoding="utf-8")
    state = advice.after_check(result, lab, path.name, text, Progress())
    if state.task != 1:
        return f"its failures point to task {state.task}, not to task 1"
    if not any("The file is as you got it" in message for message in result.messages):
        return "the result does not say that this is the unchanged skeleton"
    return None


def _baseline(path: Path, lab: Lab, session: Session) -> str | None:
    result = _grade(path, lab, session)
    if result.verdict != "graded":
        return _unusable(result)
    missed = _unfinished(result, {one.name for one in lab.criteria if one.name != "memory"})
    if missed:
        return _loses(missed)
    memory = [row for row in result.criteria if row.name == "memory"]
    if memory and memory[0].status == "pass":
        return "the baseline gets all points for memory, so there is nothing left to learn"
    return None


def _reference(path: Path, lab: Lab, session: Session) -> str | None:
    result = submission.grade(path, lab, session)
    if result.verdict != "graded":
        return _unusable(result)
    missed = _unfinished(result, {one.name for one in lab.criteria})
    return _loses(missed) if missed else None


def _step(path: Path, lab: Lab, session: Session) -> str | None:
    """A step passes everything but speed and the criteria that its head says it misses."""
    announced = set((head_line(path, "Misses") or "").replace(",", " ").split())
    if unknown := announced - {one.name for one in lab.criteria}:
        return f"'// Misses:' names {', '.join(sorted(unknown))}, which is not a criterion"
    # Steps are written to be read, so a slow one on a busy machine is not a problem.
    result = _grade(path, replace(lab, seconds=4 * lab.seconds), session)
    if result.verdict != "graded":
        return _unusable(result)
    missed = _unfinished(result, {one.name for one in lab.criteria})
    if surprising := [row for row in missed if row.name not in announced]:
        return _loses(surprising)
    ran = {row.name for row in result.criteria if row.status != "not_run"}
    if earned := (announced & ran) - {row.name for row in missed}:
        return f"'// Misses:' names {', '.join(sorted(earned))}, but it passes"
    return None


def _mistake(path: Path, lab: Lab, session: Session) -> str | None:
    try:
        mistake = mistakes.read(path)
    except UserError:
        return None  # consistency reports it
    return mistakes.problem(mistake, lab, session)


def _grade(path: Path, lab: Lab, session: Session) -> Result:
    """Grades a file without speed."""
    untimed = tuple(one for one in lab.criteria if one.curve is None)
    return submission.grade(path, replace(lab, criteria=untimed), session)


def _unfinished(result: Result, names: set[str]) -> list[CriterionResult]:
    return [row for row in result.criteria if row.name in names and row.falls_short]


def _loses(rows: Sequence[CriterionResult]) -> str:
    return "; ".join(
        shorten(f"loses points for {row.name}: {' | '.join(row.messages)}", _LENGTH) for row in rows
    )


def _unusable(result: Result) -> str:
    return shorten(f"{result.verdict}: {' '.join(result.messages)}", _LENGTH)

"""Tries repairs of a submission: all in one program, behind the walls of every submission."""

from __future__ import annotations

import functools
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from msgspec import structs

from tilelab.base import process
from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.model.case import Case
from tilelab.model.failure import Failure
from tilelab.model.lab import Lab
from tilelab.pipeline import compiler, judge, linker, objects
from tilelab.pipeline.evidence import testing
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.stages import Inspected, Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import own
from tilelab.repairs import schemata
from tilelab.repairs.code import Code
from tilelab.repairs.edit import Edit
from tilelab.repairs.schemata import Schemata
from tilelab.repairs.task import Task

# A compiler's errors show which repairs are no programs. After this many rounds, halves are tried.
_ROUNDS = 6

# All tests of a lab may take a while, and those that have begun go on. A repair may be slow, too.
_SECONDS_TO_END = 20

# What passes one test often fails the next one soon, and then no other criterion has to be judged.
_HEAD_START = 3

# The worker's own function, which says which version runs.
_OF_THE_WORKER = ("tilelab_version",)

# What is no program for one of these reasons may be one in a copy of its own.
_OF_THE_SITE = re.compile(r"static_cast|\?:|operand types|constant|captur")


@dataclass(frozen=True)
class Repaired:
    """A program made with some edits, and the number that chooses one of them.

    `wrong` is the share of elements that are wrong where the submission fails.
    """

    edit: Edit
    worker: Worker
    number: int
    wrong: float = 0


@dataclass(frozen=True)
class Tested:
    """Those that pass, and those of which nothing had failed when there was no time left."""

    passing: list[Repaired]
    undecided: list[Repaired]


@dataclass(frozen=True)
class Left:
    """What a repair leaves to be mended: the first failure."""

    task: Task
    lines: set[int]
    patterns: set[str]
    arrays: set[str]

    def and_all_that(self, shown: Sequence[Failure], mended: Task) -> Left:
        """The same with what the submission shows of other tests than the one that is mended.

        A test that ends with the first failure says less than all of them.
        """
        others = [one for one in shown if one.pattern not in mended.patterns]
        places = [place for one in others for place in one.details.named_places]
        return replace(
            self,
            lines=self.lines | {one.line for one in places},
            patterns=self.patterns | {one.pattern for one in others},
            arrays=self.arrays | {one.word for one in places},
        )


@dataclass(frozen=True)
class Trial:
    """Where repairs are tried, until the deadline, a time of time.monotonic().

    It began with `seconds` to go. `programs` are those that were made so far.
    """

    inspected: Inspected
    toolchain: Toolchain
    work: Path
    seconds: float
    deadline: float
    patience: float  # processor seconds of a call, where many repairs are tried
    programs: list[Repaired] = field(default_factory=list)

    @classmethod
    def begin(
        cls, inspected: Inspected, toolchain: Toolchain, work: Path, seconds: float, patience: float
    ) -> Trial:
        """A trial that ends in some seconds."""
        return cls(inspected, toolchain, work, seconds, time.monotonic() + seconds, patience)

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.deadline

    def build(self, edits: Sequence[Edit], code: Code, name: str) -> list[Repaired]:
        """Compiles the repairs together, or in parts. Those that are no programs are left out."""
        return self._built(dict(enumerate(edits, 1)), code, name)

    def _built(self, edits: Mapping[int, Edit], code: Code, name: str) -> list[Repaired]:
        kept = dict(edits)
        alone: set[int] = set()
        for round_number in range(_ROUNDS):
            if not kept or self.is_over:
                return []
            joined = schemata.join(code, kept, alone, self._lab)
            folder = self.work / f"{name}-{round_number}"
            folder.mkdir()
            try:
                worker = self._made(joined.text, folder)
            except CompileError as error:
                wrong = _named(error, joined)
                # In copies of their own, each of these has its own errors.
                again = _named(error, joined, _OF_THE_SITE) if wrong else _doubted(error, joined)
                again -= alone
                if not wrong and not again:
                    break
                kept = {n: one for n, one in kept.items() if n not in wrong or n in again}
                alone |= again
            except Rejected:
                break
            except InfraError:
                return []
            else:
                made = [Repaired(one, worker, number) for number, one in kept.items()]
                self.programs.extend(made)
                return made
        return self._in_halves(kept, code, name)

    def _in_halves(self, edits: Mapping[int, Edit], code: Code, name: str) -> list[Repaired]:
        """Those that are programs, of edits of which one is none and no error says which."""
        numbers, middle = sorted(edits), len(edits) // 2
        halves = [numbers[:middle], numbers[middle:]] if middle else []
        return [
            one
            for i, half in enumerate(halves)
            for one in self._built({number: edits[number] for number in half}, code, f"{name}.{i}")
        ]

    def better(self, repaired: Sequence[Repaired], wanted: Task, seed: int) -> list[Repaired]:
        """Those that pass where the submission fails, or are less wrong there."""
        by_program: dict[Path, list[Repaired]] = {}
        for one in repaired:
            by_program.setdefault(one.worker.program, []).append(one)
        return [one for some in by_program.values() for one in self._better_of(some, wanted, seed)]

    def _better_of(self, repaired: Sequence[Repaired], wanted: Task, seed: int) -> list[Repaired]:
        """The same for those of one program."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            return []
        told = replace(self._workers(repaired[0], wanted.first), version=0)
        most = max(one.number for one in repaired)
        found = judge.better_versions(
            self._impatient, self.toolchain, wanted.test, told, seed, most, seconds
        )
        return [replace(one, wrong=found[one.number]) for one in repaired if one.number in found]

    def passes(
        self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None = None
    ) -> bool | None:
        """Whether the repair passes one test, or all tests of these criteria. None if unknown."""
        for name in criteria:
            cases = self.judged(one, name, seed, test)
            if cases is None:
                return None
            if not all(case.passed for case in cases):
                return False
        return True

    def first_failure(self, one: Repaired, wanted: Task, seed: int) -> Left | None:
        """What is still to be mended, if that is known."""
        passed = 0
        for name in (*wanted.needed, *wanted.others):
            cases = None if self.is_over else self.judged(one, name, seed)
            if cases is None:
                return None
            for case in cases:
                if not case.passed:
                    places = [place for message in case.messages for place in message.places]
                    lines, arrays = {one.line for one in places}, {one.word for one in places}
                    rest = replace(wanted, test=case.name, first=name, passed=passed)
                    return Left(rest, lines, patterns_of(case), arrays)
                passed += 1
        return None

    def longer(self, share: float) -> Trial:
        """The same trial with a later deadline, by a share of its seconds."""
        return replace(self, deadline=self.deadline + share * self.seconds)

    def has_taken(self, share: float) -> bool:
        """Whether the trial began so long ago, as a share of its seconds."""
        return time.monotonic() > self.deadline + (share - 1) * self.seconds

    def soon_over(self, share: float) -> Trial:
        """The same trial from now on, for a share of its seconds at most."""
        return replace(self, deadline=min(self.deadline, self.again(share).deadline))

    def again(self, share: float) -> Trial:
        """The same trial from now on, for a share of its seconds."""
        return replace(self, deadline=time.monotonic() + share * self.seconds)

    def apart(self, name: str) -> Trial:
        """The same trial in a folder of its own."""
        folder = self.work / name
        folder.mkdir()
        return replace(self, work=folder)

    def judged(
        self, one: Repaired, name: str, seed: int, test: str | None = None
    ) -> list[Case] | None:
        """The tests of a criterion, or one of them, up to the first that fails. None if unknown.

        After the deadline, too: what has passed some tests by then may still pass the rest.
        """
        seconds = max(self.deadline - time.monotonic(), 0) + _SECONDS_TO_END
        told = self._workers(one, name)
        try:
            return judge.first_failure(
                self._lab, self.toolchain, name, told, seed, seconds, test
            ).cases
        except InfraError:
            return None

    def _workers(self, one: Repaired, name: str) -> Workers:
        """What a judge of the criterion of this name is told."""
        criterion = next(one for one in self._lab.criteria if one.name == name)
        programs = {"submission": one.worker.program}
        if criterion.needs == "checked":
            programs |= own.own_workers(self._lab, self.toolchain)
        return replace(self._told, programs=programs, version=one.number)

    @functools.cached_property
    def _told(self) -> Workers:
        return testing.what_judges_know(self.inspected)

    @property
    def _lab(self) -> Lab:
        return self.inspected.lab

    @property
    def _impatient(self) -> Lab:
        """The lab, with as much time for a call as most repairs need where it fails."""
        return structs.replace(self._lab, seconds=min(self._lab.seconds, self.patience))

    def _made(self, text: str, folder: Path) -> Worker:
        joined = replace(self.inspected, text=text)
        compiled = compiler.compile_text(joined, self.toolchain, folder, all_errors=True)
        return linker.link(objects.inspect(compiled, _OF_THE_WORKER))


def patterns_of(case: Case) -> set[str]:
    """The patterns of what failed in a test."""
    return {message.pattern for message in case.messages if message.pattern and not case.passed}


def at_once(
    trial: Trial,
    repaired: Sequence[Repaired],
    criteria: Sequence[str],
    seed: int,
    test: str | None = None,
) -> Tested:
    """Tries one test, or all tests of these criteria, in order.

    Each processor judges a criterion of one of them, so a single one does not leave others idle.
    """
    failed: set[int] = set()
    unknown: set[int] = set()
    decided = {id(one): threading.Event() for one in repaired}

    def judge_one(one: Repaired, name: str) -> None:
        if name != criteria[0]:
            decided[id(one)].wait(_HEAD_START)
        elif trial.is_over:
            failed.add(id(one))  # nobody looked at it
        if id(one) not in failed:
            passes = trial.passes(one, (name,), seed, test)
            if not passes:
                (unknown if passes is None else failed).add(id(one))
        decided[id(one)].set()

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = [
            process.submit(pool, judge_one, one, name) for name in criteria for one in repaired
        ]
        for future in futures:
            future.result()
    left = [one for one in repaired if id(one) not in failed]
    return Tested(
        [one for one in left if id(one) not in unknown], [one for one in left if id(one) in unknown]
    )


def _named(
    error: CompileError, joined: Schemata, about: re.Pattern[str] = re.compile("")
) -> set[int]:
    """The repairs in whose own lines a compiler's errors are, of those that mention something.

    An error in a line that several have in common usually follows from one in a line of a repair.
    """
    return {numbers[0] for numbers in _at_errors(error, joined, about) if len(numbers) == 1}


def _doubted(error: CompileError, joined: Schemata) -> set[int]:
    """The repairs that have a line with an error in common."""
    return {number for numbers in _at_errors(error, joined) for number in numbers}


def _at_errors(
    error: CompileError, joined: Schemata, about: re.Pattern[str] = re.compile("")
) -> list[tuple[int, ...]]:
    lines = [one.split(":")[1] for one in error.messages if about.search(one) and ":" in one]
    return [joined.numbers.get(int(line), ()) for line in lines if line.isdigit()]

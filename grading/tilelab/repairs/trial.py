"""Tries repairs of a submission: all in one program, behind the walls of every submission."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from tilelab.base import process
from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.model.lab import Lab
from tilelab.pipeline import compiler, judge, linker, objects
from tilelab.pipeline.evidence import testing
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.stages import Inspected, Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import own
from tilelab.repairs import schemata
from tilelab.repairs.edit import Edit

# A compiler's errors show which repairs are no programs. After this many rounds, all are dropped.
_ROUNDS = 4


@dataclass(frozen=True)
class Repaired:
    """A program made with some edits, and the number that chooses one of them."""

    edit: Edit
    worker: Worker
    number: int


@dataclass(frozen=True)
class Trial:
    """Where repairs are tried, until the deadline, a time of time.monotonic()."""

    inspected: Inspected
    toolchain: Toolchain
    work: Path
    deadline: float
    patience: float  # processor seconds of a call in the test that failed

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.deadline

    def build(self, edits: Sequence[Edit], text: bytes, name: str) -> list[Repaired]:
        """Compiles the repairs together. Those that are no programs are left out."""
        kept = list(edits)
        for round_number in range(_ROUNDS):
            if not kept or self.is_over:
                return []
            joined = schemata.join([one.applied(text).decode() for one in kept], self._lab)
            folder = self.work / f"{name}-{round_number}"
            folder.mkdir()
            try:
                worker = self._made(joined.text, folder)
            except CompileError as error:
                wrong = _named(error, joined)
                if not wrong:
                    return []
                kept = [one for number, one in enumerate(kept) if number not in wrong]
            except (Rejected, InfraError):
                return []
            else:
                return [Repaired(one, worker, number) for number, one in enumerate(kept)]
        return []

    def passes(self, one: Repaired, criteria: Sequence[str], seed: int, test: str | None) -> bool:
        """Whether the repair passes one test, or all tests of these criteria."""
        folder = self.work / f"tried-{id(one)}-{seed}"
        folder.mkdir(exist_ok=True)
        program = folder / "worker"
        try:
            schemata.choose(one.worker.program, one.number, program)
            linker.write_jail(program, self.toolchain)
            return all(self._passes(program, name, seed, test) for name in criteria)
        except (InfraError, ValueError, OSError):
            return False
        finally:
            for path in folder.iterdir():
                path.unlink()

    def _passes(self, program: Path, name: str, seed: int, test: str | None) -> bool:
        if self.is_over:
            return False
        criterion = next(one for one in self._lab.criteria if one.name == name)
        programs = {"submission": program}
        if criterion.needs == "checked":
            programs |= own.own_workers(self._lab, self.toolchain)
        told = replace(self._told, programs=programs)
        lab = self._lab
        if test is not None:
            lab = structs.replace(lab, seconds=min(lab.seconds, self.patience))
        found = judge.first_failure(lab, self.toolchain, name, told, seed, test)
        return all(case.passed for case in found.cases)

    @functools.cached_property
    def _told(self) -> Workers:
        return testing.what_judges_know(self.inspected)

    @property
    def _lab(self) -> Lab:
        return self.inspected.lab

    def _made(self, text: str, folder: Path) -> Worker:
        joined = replace(self.inspected, text=text)
        compiled = compiler.compile_text(joined, self.toolchain, folder, all_errors=True)
        return linker.link(objects.inspect(compiled))


def at_once(
    trial: Trial,
    repaired: Sequence[Repaired],
    criteria: Sequence[str],
    seed: int,
    test: str | None = None,
) -> list[Repaired]:
    """Those that pass one test, or all tests of these criteria, in order."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = [
            process.submit(pool, trial.passes, one, criteria, seed, test) for one in repaired
        ]
        return [one for one, future in zip(repaired, futures, strict=True) if future.result()]


def _named(error: CompileError, joined: schemata.Schemata) -> set[int]:
    """The repairs that a compiler's errors are about."""
    found = set()
    for message in error.messages:
        line = message.split(":")[1] if message.count(":") > 1 else ""
        number = joined.number_at(int(line)) if line.isdigit() else None
        if number is not None:
            found.add(number)
    return found

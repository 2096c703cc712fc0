"""Slurm's commands: submit, look at the queue, cancel."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import InfraError, UserError
from tilelab.base.text import one_line

_SECONDS = 120

# What squeue says of a job that has ended. It forgets that after some minutes.
_ENDED = frozenset(
    "BOOT_FAIL CANCELLED COMPLETED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED REVOKED "
    "TIMEOUT".split()
)


class SlurmError(InfraError):
    """A command of Slurm failed. The text is its last line."""


@dataclass(frozen=True)
class Element:
    """An element of an array, or a job of its own, which has the index 0."""

    id: str
    job_name: str
    index: int
    state: str  # as squeue spells it: "RUNNING"
    reason: str  # why it waits

    @property
    def has_ended(self) -> bool:
        return self.state in _ENDED


def submit(script: str, job_name: str, options: Sequence[str], log: Path) -> None:
    """Submits one job. Raises SlurmError, and UserError if there is no sbatch."""
    name = [f"--job-name={job_name}", f"--chdir={log.parent}", f"--output={log}"]
    # The last of equal options counts, so a user's come last.
    _run("sbatch", "--parsable", "--requeue", "--open-mode=append", *name, *options, input=script)


def submit_array(
    script: str, job_name: str, options: Sequence[str], log: Path, size: int, at_once: int | None
) -> None:
    """Submits an array of `size` elements, of which `at_once` may run at a time."""
    most = f"%{at_once}" if at_once else ""
    numbered = log.with_name(f"{log.stem}-%a{log.suffix}")
    submit(script, job_name, [f"--array=0-{size - 1}{most}", *options], numbered)


def elements() -> list[Element]:
    """All that squeue lists of this user, also what has ended lately. Raises SlurmError."""
    user = pwd.getpwuid(os.getuid()).pw_name
    text = _run(
        *("squeue", "--noheader", "--array", "--states=all", f"--user={user}"),
        "--format=%i|%K|%j|%T|%r",
    )
    return list(_parsed(text))


def cancel(ids: Sequence[str]) -> None:
    if ids:
        _run("scancel", *ids)


def _parsed(text: str) -> Iterator[Element]:
    for line in text.splitlines():
        # The name of somebody's other job may have a bar in it.
        fields = line.split("|")
        if len(fields) == 5:
            number, index, name, state, reason = (one.strip() for one in fields)
            yield Element(number, name, int(index) if index.isdecimal() else 0, state, reason)


def _run(program: str, *arguments: str, input: str = "") -> str:
    try:
        done = subprocess.run(
            [program, *arguments],
            input=input,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
        )
    except FileNotFoundError:
        raise UserError(
            f"there is no {program} here: run this on a machine from which you submit Slurm jobs"
        ) from None
    except subprocess.TimeoutExpired:
        raise SlurmError(f"{program} did not answer within {_SECONDS} s") from None
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise SlurmError(one_line(said[0].removeprefix(f"{program}: error: ")))
    return done.stdout

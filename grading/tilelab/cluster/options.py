"""What an instructor can choose about a cluster."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from tilelab.base.errors import UserError
from tilelab.base.text import one_line

# What tells our jobs apart.
_OURS = re.compile(r"--(array|job-name|chdir|output)\b|-[aJDo]")


@dataclass(frozen=True)
class Options:
    """`sbatch` are options for sbatch. An element of an array examines `chunk` files.

    `at_once` elements of an array may run at a time. A new file on a network file system may stay
    unseen for `grace_seconds`. squeue is asked every `poll_seconds`, and the folder of evidence
    every `look_seconds`.
    """

    sbatch: tuple[str, ...] = ()
    chunk: int = 20
    at_once: int | None = None
    grace_seconds: float = 30
    poll_seconds: float = 15
    look_seconds: float = 1

    def refused(self, error: Exception) -> UserError:
        """What to say if sbatch refuses even a single job."""
        given = f" It was called with {shlex.join(self.sbatch)}." if self.sbatch else ""
        return UserError(
            f"sbatch refused the job: {one_line(str(error))}.{one_line(given)} Change that with "
            "--slurm."
        )


def sbatch_options(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of several --slurm. Raises UserError."""
    words: list[str] = []
    for text in texts:
        try:
            words += shlex.split(text)
        except ValueError as error:
            raise UserError(f"--slurm {one_line(text)}: {error}") from error
    for word in words:
        if _OURS.match(word):
            raise UserError(f"--slurm {one_line(word)}: TileLab sets this option itself")
    return tuple(words)

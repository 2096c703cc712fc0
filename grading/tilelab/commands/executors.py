"""Where `grade` has submissions examined: on this machine, or on the nodes of a cluster."""

from __future__ import annotations

import dataclasses
import enum
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.cluster.executor import Cluster
from tilelab.cluster.options import Options, sbatch_options
from tilelab.commands import options
from tilelab.commands.console import console, working
from tilelab.model.lab import Lab
from tilelab.pipeline import batch
from tilelab.pipeline.batch import Done, Task
from tilelab.pipeline.harness.session import Session


class Executor(enum.StrEnum):
    LOCAL = "local"
    SLURM = "slurm"


ExecutorName = Annotated[
    Executor,
    typer.Option("--executor", help="Where submissions run: here, or on a Slurm cluster."),
]

SlurmOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--slurm", help='Options for sbatch: "--partition=gpu --gres=gpu:1". Can be repeated.'
    ),
]

ChunkSize = Annotated[
    int | None,
    typer.Option("--chunk", min=1, help="Submissions per element of a Slurm array. Default: 20."),
]

# Examines tasks, like pipeline.batch.examine().
Examine = Callable[[Sequence[Task], Path, Done], None]


def options_for_slurm(
    executor: Executor, words: Sequence[str] | None, chunk: int | None, jobs: int | None
) -> Options | None:
    """What the user chose for Slurm, None if this machine does it all. Raises UserError."""
    if executor is Executor.SLURM:
        chosen = Options(sbatch_options(words or []), at_once=jobs)
        return dataclasses.replace(chosen, chunk=chunk) if chunk else chosen
    if words or chunk:
        raise UserError("--slurm and --chunk need --executor slurm")
    return None


def here(
    labs: Sequence[Lab],
    backend: str | None,
    seed: int,
    jobs: int | None,
    *,
    without_seccomp: bool,
) -> tuple[Session, Examine]:
    """Builds the harness here. Raises UserError or InfraError."""
    session = options.session(backend, seed, labs, without_seccomp=without_seccomp)

    def examine(tasks: Sequence[Task], log: Path, done: Done) -> None:
        batch.examine(tasks, jobs or os.cpu_count() or 1, log, done)

    # Several submissions at a time keep all processors busy.
    return dataclasses.replace(session, criteria_at_once=1), examine


def on_slurm(
    out: Path,
    chosen: Options,
    labs: Sequence[Lab],
    backend: str | None,
    seed: int,
    *,
    without_seccomp: bool,
    again: bool,
) -> tuple[Session, Examine]:
    """Has a node build the harness. Raises UserError or InfraError."""

    def say(text: str) -> None:
        console.print(text, style="dim", markup=False)

    options.name_what_is_broken([])
    cluster = Cluster(out, chosen, say, again=again)
    with working("Waiting for a node to build the tests"):
        machine = cluster.prepare(backend, labs, without_seccomp=without_seccomp)
    return Session((), seed, elsewhere=machine), cluster.examine

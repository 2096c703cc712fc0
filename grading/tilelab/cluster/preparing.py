"""Has one node build everything before the others start, and asks what it is like.

What the machine is like on which an instructor types says nothing about the nodes: often it has no
GPU, or another compiler.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.errors import InfraError
from tilelab.cluster import files, script, slurm
from tilelab.cluster.files import Folder, Prepared, Refused, Request
from tilelab.cluster.options import Options
from tilelab.cluster.queue import Queue
from tilelab.cluster.slurm import SlurmError
from tilelab.model.lab import Lab
from tilelab.record import fingerprint


def prepare(
    folder: Folder,
    queue: Queue,
    options: Options,
    backend: str | None,
    labs: Sequence[Lab],
    *,
    without_seccomp: bool,
    again: bool,
) -> Prepared:
    """Waits for a node that has done it, unless one did before and nothing has changed since.

    Raises UserError if Slurm refuses the job, and InfraError if the node cannot grade.
    """
    request = Request(backend, without_seccomp, [lab.name for lab in labs])
    made_of = [fingerprint.of_harness(), *(fingerprint.of_lab(lab) for lab in labs)]
    text = json.dumps([dataclasses.asdict(request), options.sbatch, made_of])
    name = f"tilelab-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    answer = folder.prepared(name)
    if again or not _is_usable(answer):
        answer.unlink(missing_ok=True)
        with queue.canceled_on_error({name}):
            queue.look({name})
            if not queue.is_alive(name):
                log = folder.log(name)
                log.unlink(missing_ok=True)
                try:
                    slurm.submit(script.prepare(answer, request), name, options.sbatch, log)
                except SlurmError as error:
                    raise options.refused(error) from error
            _wait(name, folder, queue, options)
    said = files.read_answer(answer)
    if isinstance(said, Refused):
        raise InfraError(f"the node {said.node} cannot grade: {said.error}")
    return said


def _is_usable(answer: Path) -> bool:
    """Whether a node has prepared everything, and nobody has removed it since."""
    if not answer.exists():
        return False
    said = files.read_answer(answer)
    return isinstance(said, Prepared) and all(Path(one.folder).is_dir() for one in said.harnesses)


def _wait(name: str, folder: Folder, queue: Queue, options: Options) -> None:
    """Waits for the answer, or until the job has been gone for some time without one."""
    gone_since = None
    while True:
        queue.look({name})
        now = time.monotonic()
        gone_since = None if queue.is_alive(name) else gone_since or now
        ending = now + options.poll_seconds
        while time.monotonic() < ending:
            if folder.prepared(name).exists():
                return
            time.sleep(options.look_seconds)
        if gone_since and now - gone_since > options.grace_seconds:
            raise InfraError(
                f"the job that prepares a node ended without an answer: {folder.log(name)}"
            )

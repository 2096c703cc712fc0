"""Has the nodes of a cluster examine files, and sees to it that none is lost."""

from __future__ import annotations

import dataclasses
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import InfraError, Rejected
from tilelab.cluster import files, preparing, script, slurm
from tilelab.cluster.files import Batch, Folder, Found, Order, Prepared
from tilelab.cluster.options import Options
from tilelab.cluster.queue import Queue, Say
from tilelab.cluster.slurm import SlurmError
from tilelab.model import evidence as evidences
from tilelab.model.evidence import Evidence
from tilelab.model.lab import Lab
from tilelab.pipeline import intake
from tilelab.pipeline.batch import Done, Task
from tilelab.pipeline.harness.session import Machine
from tilelab.record import fingerprint
from tilelab.record.fingerprint import Inputs

# How often a file is submitted before it counts as a machine error.
ATTEMPTS = 3

_BECAME = {
    "CANCELLED": "its job was canceled",
    "FAILED": "its job failed",
    "NODE_FAIL": "its node failed",
    "OUT_OF_MEMORY": "its job ran out of memory: add --slurm --mem=4G",
    "TIMEOUT": "its job ran out of time: add --slurm --time=60",
}


@dataclass
class _Waiting:
    """A file without evidence, and what it is expected to depend on.

    `is_submitted` says whether a job has it, or had it until `gone_since`. `became` is what became
    of the last job.
    """

    task: Task
    expected: Inputs
    attempts: int = 0
    is_submitted: bool = False
    gone_since: float | None = None
    became: str = "its job is gone"


class Cluster:
    """A Slurm cluster that sees RESULTS, the class and the repository at the same paths.

    Everything it knows is in files and in the queue. So after a kill -9 the next grader takes in
    what nodes have found meanwhile, and waits for what is still queued.
    """

    def __init__(self, out: Path, options: Options, say: Say, *, again: bool = False) -> None:
        """`again` wants new evidence, even where some was found before."""
        self._folder = Folder(out)
        self._options = options
        self._say = say
        self._again = again
        self._queue = Queue(say)
        self._prepared: Prepared | None = None
        self._batches: dict[str, Batch] = {}
        self._waiting: dict[str, _Waiting] = {}  # by the key of the evidence
        self._gpus: Counter[str] = Counter()
        self._largest: int | None = None  # array that the site does not refuse, once it did

    def prepare(
        self, backend: str | None, labs: Sequence[Lab], *, without_seccomp: bool
    ) -> Machine:
        """Has a node build the harness, and returns the node's description.

        Raises UserError or InfraError.
        """
        self._prepared = preparing.prepare(
            self._folder,
            self._queue,
            self._options,
            backend,
            labs,
            without_seccomp=without_seccomp,
            again=self._again,
        )
        return self._prepared.machine

    def examine(self, tasks: Sequence[Task], log: Path, done: Done) -> None:
        """Has everything examined, and calls `done` once for each task, in this thread.

        Ctrl-C, and each error, cancels the jobs.
        """
        self._waiting = {}
        for task in tasks:
            try:
                one = self._expected(task)
            except InfraError as error:
                done(task, evidences.infra_error(str(error)), 0)
            else:
                self._waiting[one.expected.key] = one
        self._batches = self._folder.batches()
        if not self._waiting:
            return
        with self._queue.canceled_on_error(self._batches):
            self._forget()
            while self._turn(log, done):
                self._pause(done)
        self._say_if_gpus_differ()

    def _turn(self, log: Path, done: Done) -> bool:
        """Whether files are left to wait for."""
        self._queue.look(self._batches)
        # Only now: what had ended then has also written its files.
        self._take_in(done)
        self._see_what_became()
        lost = [key for key, one in self._waiting.items() if self._is_lost(one)]
        again = [key for key in lost if self._waiting[key].attempts < ATTEMPTS]
        for key in set(lost) - set(again):
            self._give_up(key, done)
        new = [key for key in again if self._waiting[key].attempts == 0]
        # One that was lost is alone, so that it costs no other file an attempt.
        alone = [key for key in again if self._waiting[key].attempts > 0]
        chunks = [*_chunks(new, self._options.chunk), *_chunks(alone, 1)]
        self._submit(chunks, log.resolve())
        return bool(self._waiting)

    def _pause(self, done: Done) -> None:
        ending = time.monotonic() + self._options.poll_seconds
        while self._waiting and time.monotonic() < ending:
            time.sleep(self._options.look_seconds)
            self._take_in(done)

    # --- evidence ---------------------------------------------------------------------------------

    def _expected(self, task: Task) -> _Waiting:
        """Raises InfraError if the file cannot be read any more."""
        try:
            sha256 = intake.read(task.path).sha256
        except (OSError, Rejected) as error:
            raise InfraError(f"{task.path} changed while it was graded: {error}") from error
        return _Waiting(
            task, dataclasses.replace(fingerprint.of(task.lab, task.session), submission=sha256)
        )

    def _forget(self) -> None:
        """Removes what must not be taken for new evidence."""
        if self._again:
            self._queue.cancel(self._batches)
            self._drop(list(self._batches))
        for _, path in self._finished():
            found = files.read_found(path)
            if self._again or found is None or found.evidence.verdict == "infra_error":
                path.unlink(missing_ok=True)

    def _finished(self) -> list[tuple[str, Path]]:
        keys = self._waiting.keys() & self._folder.finished()
        return [(key, self._folder.evidence(key)) for key in sorted(keys)]

    def _take_in(self, done: Done) -> None:
        for key, path in self._finished():
            one, found = self._waiting[key], files.read_found(path)
            if found is None:
                path.unlink(missing_ok=True)
                one.is_submitted, one.became = False, "its evidence was damaged"
            elif found.evidence.verdict == "infra_error" and one.attempts < ATTEMPTS:
                path.unlink(missing_ok=True)
                one.is_submitted = False
            else:
                self._settle(key, _evidence(found, one.expected), found, done)
                path.unlink(missing_ok=True)

    def _settle(self, key: str, evidence: Evidence, found: Found, done: Done) -> None:
        one = self._waiting.pop(key)
        self._gpus[found.machine["gpu"] or "no GPU"] += 1
        session = dataclasses.replace(one.task.session, elsewhere=found.machine)
        done(dataclasses.replace(one.task, session=session), evidence, found.seconds)

    def _give_up(self, key: str, done: Done) -> None:
        one = self._waiting.pop(key)
        text = (
            f"it was submitted {ATTEMPTS} times without a result; {one.became}. "
            f"See {self._folder.logs}."
        )
        done(one.task, evidences.infra_error(text, one.expected.submission), 0)

    def _say_if_gpus_differ(self) -> None:
        if len(self._gpus) > 1:
            counted = ", ".join(f"{name}: {count}" for name, count in self._gpus.most_common())
            self._say(
                f"The files met different GPUs ({counted}). Speed counts against the reference "
                "solution on the same GPU. For one kind only, add --slurm --constraint or --gres."
            )

    # --- jobs -------------------------------------------------------------------------------------

    def _see_what_became(self) -> None:
        """Notes which files jobs have, and forgets jobs that have ended."""
        held: set[str] = set()
        for name, batch in self._batches.items():
            for element in self._queue.of(name):
                for order in batch.chunks[element.index]:
                    if not element.has_ended:
                        held.add(order.key)
                    elif one := self._waiting.get(order.key):
                        one.became = _BECAME.get(element.state, one.became)
        now = time.monotonic()
        for key, one in self._waiting.items():
            if key in held:
                one.is_submitted, one.gone_since = True, None
            else:
                one.gone_since = one.gone_since or now
        self._drop([name for name in self._batches if not self._queue.is_alive(name)])

    def _drop(self, names: Sequence[str]) -> None:
        for name in names:
            del self._batches[name]
            self._folder.forget_batch(name)

    def _is_lost(self, one: _Waiting) -> bool:
        if not one.is_submitted:
            return True
        if one.gone_since is None:
            return False
        return time.monotonic() - one.gone_since > self._options.grace_seconds

    def _submit(self, chunks: Sequence[Sequence[str]], log: Path) -> None:
        """Submits arrays, as large as the site takes them, and single jobs if it takes none."""
        while chunks:
            size = min(len(chunks), self._largest or len(chunks))
            try:
                self._submit_batch(chunks[:size], log)
            except SlurmError as error:
                if self._batches:
                    return  # perhaps there are too many jobs: the next turn tries again
                if size == 1:
                    raise self._options.refused(error) from error
                self._largest = size // 2
            else:
                chunks = chunks[size:]

    def _submit_batch(self, chunks: Sequence[Sequence[str]], log: Path) -> None:
        assert self._prepared
        name = f"tilelab-{secrets.token_hex(8)}"
        orders = tuple(tuple(self._order(key) for key in chunk) for chunk in chunks)
        batch = Batch(self._prepared, str(log), orders)
        # Before the job, so that a grader that is killed between the two finds the job again.
        path = self._folder.write_batch(name, batch)
        self._batches[name] = batch
        arguments = (script.examine(path), name, self._options.sbatch, self._folder.log(name))
        try:
            if len(chunks) == 1:
                slurm.submit(*arguments)
            else:
                slurm.submit_array(*arguments, len(chunks), self._options.at_once)
        except SlurmError:
            self._drop([name])
            raise
        for key in (key for chunk in chunks for key in chunk):
            one = self._waiting[key]
            one.attempts += 1
            one.is_submitted, one.gone_since = True, None

    def _order(self, key: str) -> Order:
        task = self._waiting[key].task
        points = {one.name: one.points for one in task.lab.criteria}
        path = str(task.path.absolute())
        return Order(key, task.name, path, task.lab.name, points, task.session.seed)


def _evidence(found: Found, expected: Inputs) -> Evidence:
    """The evidence, if the node has the same labs and harness. Which tools it has may differ."""
    if (found.inputs.lab, found.inputs.harness) == (expected.lab, expected.harness):
        return found.evidence
    return evidences.infra_error(
        f"the node {found.node} has another version of TileLab: change nothing while it grades, "
        "and let all nodes see the same folder.",
        expected.submission,
    )


def _chunks(keys: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), size):
        yield keys[start : start + size]

"""A real Slurm of one node examines a class, while jobs are killed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import one_node
import typed
from support import REPO
from tilelab.base.errors import InfraError, UserError
from tilelab.cluster import slurm
from tilelab.cluster.executor import Cluster
from tilelab.cluster.files import Folder
from tilelab.cluster.options import Options
from tilelab.cluster.slurm import Element
from tilelab.labs import lab
from tilelab.model.course import Course
from tilelab.model.evidence import Evidence
from tilelab.pipeline import batch
from tilelab.pipeline.harness.session import Session
from tilelab.record.grading import Grading
from tilelab.record.jobs import Job
from tilelab.record.store import Store

SOLUTION = REPO / "solutions" / "diff" / "diff.cu"
MISTAKE = sorted((REPO / "solutions" / "diff" / "mistakes").glob("*.cu"))[0]
LOOP = '#include "diff.h"\nvoid diff(const int*, int*, int) { for (volatile int i = 0;; ++i) {} }\n'
TEXTS = {
    "amber": SOLUTION.read_text(),
    "basil": MISTAKE.read_text(),
    "clover": "this does not compile\n",
    "dill": f"// dill\n{SOLUTION.read_text()}",
    "elder": f"// elder\n{SOLUTION.read_text()}",
    "fennel": SOLUTION.read_text(),
}
# The cluster's arrays have at most two elements, so there are several arrays and a single job.
LARGEST_ARRAY = 2
DIFF = lab.load("diff")
SECONDS = 300

pytestmark = pytest.mark.skipif(
    one_node.missing() is not None, reason=f"Slurm is not installed: no {one_node.missing()}"
)


@pytest.fixture(scope="module", autouse=True)
def slurm_of_one_node() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        try:
            with one_node.running(Path(folder), largest_array=LARGEST_ARRAY) as environment:
                patch.setenv("SLURM_CONF", environment["SLURM_CONF"])
                yield
        except one_node.CannotStart as error:
            pytest.skip(f"Slurm cannot start here: {error}")


@pytest.fixture(autouse=True)
def empty_queue() -> Iterator[None]:
    yield
    until(lambda: not alive())


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory, emulator: Session) -> list[Any]:
    """The record of a run without Slurm."""
    folder = tmp_path_factory.mktemp("local")
    hand_in(folder / "class", TEXTS)
    record = Store(folder)
    grading = Grading(record, Course(), emulator, lambda _job, _grade: None)
    tasks = grading.plan(jobs(folder / "class"), new_seed=False, again=False)
    batch.examine(tasks, 2, folder / "grader.log", grading.done)
    return rows(folder)


def hand_in(folder: Path, texts: dict[str, str]) -> None:
    for student, text in texts.items():
        (folder / student).mkdir(parents=True)
        (folder / student / "diff.cu").write_text(text)


def jobs(folder: Path) -> list[Job]:
    return [Job(one.name, DIFF, one / "diff.cu") for one in sorted(folder.iterdir())]


def rows(out: Path) -> list[Any]:
    """All of a record but times, and addresses, which differ from run to run."""
    database = sqlite3.connect(out / "record.sqlite")
    questions = (
        "SELECT * FROM source ORDER BY sha256",
        "SELECT key, lab, inputs, found FROM evidence ORDER BY key",
        "SELECT student, lab, evidence, result FROM grade ORDER BY student, lab",
        "SELECT description FROM machine",
    )
    found = [database.execute(question).fetchall() for question in questions]
    return [
        [tuple(re.sub("0x[0-9a-f]+", "0x", str(one)) for one in row) for row in rows]
        for rows in found
    ]


class Run:
    """One run of a grader with Slurm, in this process, and what it was told."""

    def __init__(self, out: Path, seed: int, **options: Any) -> None:
        quick = Options(**{"grace_seconds": 1, "poll_seconds": 1, "look_seconds": 0.1, **options})
        self.out = out
        self.said: list[str] = []
        self.done: list[str] = []
        self.cluster = Cluster(out, quick, self.said.append)
        self.seed = seed

    def prepare(self) -> Session:
        machine = self.cluster.prepare("emulator", [DIFF], without_seccomp=False)
        return Session((), self.seed, elsewhere=machine)

    def grade(self, folder: Path) -> None:
        session = self.prepare()
        grading = Grading(Store(self.out), Course(), session, lambda _job, _grade: None)
        tasks = grading.plan(jobs(folder), new_seed=False, again=False)

        def done(task: batch.Task, evidence: Evidence, seconds: float) -> None:
            self.done.append(task.name)
            grading.done(task, evidence, seconds)

        self.cluster.examine(tasks, self.out / "grader.log", done)


def alive() -> list[Element]:
    return [one for one in slurm.elements() if not one.has_ended]


def until(is_so: Callable[[], Any]) -> Any:
    ending = time.monotonic() + SECONDS
    while not (found := is_so()):
        assert time.monotonic() < ending
        time.sleep(0.2)
    return found


def submitted(out: Path) -> set[str]:
    """The files that jobs have, or had."""
    known = {one.job_name for one in slurm.elements()}
    batches = [batch for name, batch in Folder(out).batches().items() if name in known]
    return {order.name for batch in batches for chunk in batch.chunks for order in chunk}


def examining(out: Path, student: str) -> Element | None:
    """The element that examines a student's file just now."""
    for name, handed in Folder(out).batches().items():
        for one in alive():
            if one.job_name == name and one.state == "RUNNING":
                orders = handed.chunks[one.index]
                if any(order.name == f"{student}/diff.cu" for order in orders):
                    return one
    return None


def process_of(element: Element) -> int | None:
    """The interpreter that a job has started, once a compiler or a judge runs below it."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            words = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"SLURM_JOB_NAME={element.job_name}".encode() in words:
            index = element.id.partition("_")[2]
            if not index or f"SLURM_ARRAY_TASK_ID={index}".encode() in words:
                parents[int(folder.name)] = int(fields[1])
    return next((pid for pid in parents if pid in parents.values()), None)


def test_the_end_state_is_that_of_a_local_run_whatever_is_killed(
    tmp_path: Path, local: list[Any], emulator: Session
) -> None:
    hand_in(tmp_path / "class", TEXTS)
    out = tmp_path / "out"
    out.mkdir()
    run = Run(out, emulator.seed, chunk=1)
    killed: list[str] = []

    def kill() -> None:
        first = until(lambda: examining(out, "dill"))
        until(lambda: process_of(first))
        slurm.cancel([first.id])
        killed.append("canceled")
        second = until(lambda: examining(out, "elder"))
        os.kill(until(lambda: process_of(second)), signal.SIGKILL)
        killed.append("killed")

    killer = threading.Thread(target=kill)
    killer.start()
    run.grade(tmp_path / "class")
    killer.join()
    assert killed == ["canceled", "killed"]
    assert rows(out) == local
    # Identical files are examined once, and each file is taken in once, by name.
    assert sorted(run.done) == [f"{student}/diff.cu" for student in list(TEXTS)[:5]]
    assert not Folder(out).finished()


def test_nothing_is_lost_with_the_grader(
    tmp_path: Path, local: list[Any], emulator: Session
) -> None:
    hand_in(tmp_path / "class", TEXTS)
    out = tmp_path / "out"
    words = ["grade", tmp_path / "class", "--out", out, "--seed", emulator.seed]
    words += ["--backend", "emulator", "--executor", "slurm", "--chunk", "1"]
    grader = subprocess.Popen(
        typed.command(*words),
        cwd=REPO,
        env=typed.environment(),
        stdout=subprocess.DEVNULL,
    )
    # Killed any earlier, the next grader submits the rest. Slurm forgets old jobs after a while.
    seen: set[str] = set()

    def all_submitted() -> bool:
        if out.exists():
            seen.update(submitted(out))
        return seen == {f"{one}/diff.cu" for one in list(TEXTS)[:5]}

    until(all_submitted)
    grader.kill()
    grader.wait()
    until(lambda: not alive())
    known = {one.id for one in slurm.elements()}
    again = Run(out, emulator.seed, chunk=1)
    again.grade(tmp_path / "class")
    assert {one.id for one in slurm.elements()} <= known  # nothing ran twice
    assert rows(out) == local


def test_ctrl_c_cancels_the_jobs(tmp_path: Path, emulator: Session) -> None:
    hand_in(tmp_path / "class", {"dill": LOOP})
    out = tmp_path / "out"
    words = ["grade", tmp_path / "class", "--out", out, "--backend", "emulator"]
    words += ["--executor", "slurm"]
    grader = subprocess.Popen(
        typed.command(*words),
        cwd=REPO,
        env=typed.environment(),
        stdout=subprocess.PIPE,
        text=True,
        # A shell makes background programs ignore Ctrl-C, and these tests may be one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until(lambda: examining(out, "dill") if out.exists() else None)
    grader.send_signal(signal.SIGINT)
    said, _ = grader.communicate(timeout=SECONDS)
    assert grader.returncode == 130
    assert "submissions were not graded. The same command goes on." in said
    assert not alive() or all(one.state == "COMPLETING" for one in alive())


def test_what_sbatch_refuses_is_one_clear_line(tmp_path: Path, emulator: Session) -> None:
    run = Run(tmp_path, emulator.seed, sbatch=("--partition=nope",))
    with pytest.raises(UserError, match=r"sbatch refused the job: .*[Ii]nvalid partition") as error:
        run.prepare()
    assert "--partition=nope" in str(error.value) and "--slurm" in str(error.value)


def test_a_node_that_cannot_grade_says_why(tmp_path: Path, emulator: Session) -> None:
    if shutil.which("nvidia-smi"):
        pytest.skip("this machine has a GPU")
    run = Run(tmp_path, emulator.seed)
    with pytest.raises(InfraError, match="cannot grade: the backend cuda needs"):
        run.cluster.prepare("cuda", [DIFF], without_seccomp=False)

"""What becomes of files when jobs end in every way that Slurm has, without a Slurm."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from synthetic_class import DIFF, passed
from tilelab.base.errors import UserError
from tilelab.cluster import files, slurm
from tilelab.cluster.executor import ATTEMPTS, Cluster
from tilelab.cluster.files import Folder, Found, Harness, Order, Prepared
from tilelab.cluster.options import Options, sbatch_options
from tilelab.cluster.slurm import Element, SlurmError
from tilelab.model.evidence import Evidence, infra_error
from tilelab.pipeline.batch import Task
from tilelab.pipeline.harness.session import Machine, Session
from tilelab.record import fingerprint

MACHINE: Machine = {
    "gpu": "NVIDIA H200",
    "backend": "cuda",
    "compiler": "GNU 12.2.0",
    "referee": "nvcc 13.0",
    "sandbox": "bubblewrap 0.8.0",
    "system call filter": "seccomp",
    "host os": "Debian",
}
# What a job does with its order: evidence, or the state that the job ends in without any.
Fate = Evidence | Machine | str


class Site:
    """A Slurm whose jobs end at once. `fates` has what becomes of a file, time after time."""

    def __init__(self, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = Folder(out)
        self.fates: dict[str, list[Fate]] = {}
        self.submitted: list[list[list[str]]] = []  # names of files by job, then by element
        self.listed: list[Element] = []
        self.canceled: list[str] = []
        self.refuses: Callable[[int], bool] = lambda size: False
        self.silent = 0  # how often squeue fails from now on
        for name in ("submit", "submit_array", "elements"):
            monkeypatch.setattr(slurm, name, getattr(self, name))
        monkeypatch.setattr(slurm, "cancel", self.canceled.extend)

    def submit(self, script: str, name: str, options: Sequence[str], log: Path) -> None:
        self.submit_array(script, name, options, log, 1, None)

    def submit_array(
        self, script: str, name: str, options: Any, log: Any, size: int, at_once: int | None
    ) -> None:
        if self.refuses(size):
            raise SlurmError("Invalid job array specification")
        (path,) = re.findall(r"examine (\S+)", script)
        batch = files.read_batch(Path(path))
        assert len(batch.chunks) == size
        self.submitted.append([[one.name for one in chunk] for chunk in batch.chunks])
        for index, chunk in enumerate(batch.chunks):
            state = "COMPLETED"
            for order in chunk:
                fate = self.fates.get(order.name, [])
                state = self._happens(order, fate.pop(0) if fate else passed(1)) or state
            self.listed.append(Element(f"{len(self.submitted)}_{index}", name, index, state, ""))

    def elements(self) -> list[Element]:
        if self.silent:
            self.silent -= 1
            raise SlurmError("Unable to contact slurm controller")
        return list(self.listed)

    def _happens(self, order: Order, fate: Fate) -> str | None:
        if isinstance(fate, str):
            return fate
        machine = fate if isinstance(fate, dict) else MACHINE
        found = passed(1) if isinstance(fate, dict) else fate
        files.write_found(self.folder.evidence(order.key), of(order, found, machine))
        return None


def of(order: Order, evidence: Evidence, machine: Machine = MACHINE) -> Found:
    sha256 = hashlib.sha256(Path(order.path).read_bytes()).hexdigest()
    inputs = fingerprint.Inputs(
        sha256,
        fingerprint.of_lab(DIFF),
        fingerprint.of_harness(),
        fingerprint.of_tools(machine, DIFF),
        order.seed,
    )
    return Found(inputs, machine, "node7", 1.0, replace(evidence, sha256=sha256))


class Run:
    def __init__(self, out: Path, *, again: bool = False, **options: Any) -> None:
        quick = {"grace_seconds": 0, "poll_seconds": 0, "look_seconds": 0, **options}
        self.said: list[str] = []
        self.done: dict[str, Evidence] = {}
        self.machines: dict[str, str | None] = {}
        self.out = out
        self.taken_back: list[str] = []
        self.cluster = Cluster(out, Options(**quick), self.said.append, again=again)
        prepared = Prepared(MACHINE, (Harness("cuda", "/build", True),))
        self.cluster._prepared = prepared

    def examine(self, *students: str) -> None:
        session = Session((), 7, elsewhere=MACHINE)
        tasks = [Task(f"{one}/diff.cu", self.hand_in(one), DIFF, session) for one in students]
        for one in self.taken_back:
            (self.out / f"{one}.cu").unlink()
        self.cluster.examine(tasks, self.out / "grader.log", self._done)

    def hand_in(self, student: str) -> Path:
        path = self.out / f"{student}.cu"
        path.write_text(f"// {student}\n")
        return path

    def _done(self, task: Task, evidence: Evidence, seconds: float) -> None:
        student = task.name.partition("/")[0]
        assert student not in self.done
        self.done[student] = evidence
        self.machines[student] = task.session.machine()["gpu"]

    def verdicts(self) -> dict[str, str]:
        return {student: evidence.verdict for student, evidence in self.done.items()}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(tmp_path, monkeypatch)


def test_files_go_into_chunks(tmp_path: Path, site: Site) -> None:
    run = Run(tmp_path, chunk=2)
    run.examine("a", "b", "c")
    assert site.submitted == [[["a/diff.cu", "b/diff.cu"], ["c/diff.cu"]]]
    assert run.verdicts() == {"a": "graded", "b": "graded", "c": "graded"}


@pytest.mark.parametrize("state", ["CANCELLED", "FAILED", "NODE_FAIL", "TIMEOUT", "PREEMPTED"])
def test_what_is_lost_is_submitted_again_by_itself(tmp_path: Path, site: Site, state: str) -> None:
    site.fates = {"a/diff.cu": [state], "b/diff.cu": [state, state]}
    run = Run(tmp_path)
    run.examine("a", "b", "c")
    assert site.submitted[1:] == [[["a/diff.cu"], ["b/diff.cu"]], [["b/diff.cu"]]]
    assert set(run.verdicts().values()) == {"graded"}


def test_a_file_that_is_always_lost_is_a_machine_error(tmp_path: Path, site: Site) -> None:
    site.fates = {"b/diff.cu": ["OUT_OF_MEMORY"] * 9}
    run = Run(tmp_path)
    run.examine("a", "b")
    assert run.verdicts() == {"a": "graded", "b": "infra_error"}
    assert "ran out of memory" in run.done["b"].messages[0]
    assert len(site.submitted) == ATTEMPTS


def test_a_file_that_is_gone_before_its_job_costs_no_other_file(tmp_path: Path, site: Site) -> None:
    run = Run(tmp_path)
    run.taken_back = ["b"]
    run.examine("a", "b", "c")
    assert run.verdicts() == {"a": "graded", "b": "infra_error", "c": "graded"}
    assert "b.cu changed while it was graded" in run.done["b"].messages[0]


def test_a_machine_error_of_a_node_is_tried_again(tmp_path: Path, site: Site) -> None:
    site.fates = {"a/diff.cu": [infra_error("full disk.")], "b/diff.cu": [infra_error("no.")] * 9}
    run = Run(tmp_path)
    run.examine("a", "b")
    assert run.verdicts() == {"a": "graded", "b": "infra_error"}
    assert "no." in run.done["b"].messages[0]


def test_arrays_that_a_site_refuses_become_smaller_ones_and_single_jobs(
    tmp_path: Path, site: Site
) -> None:
    site.refuses = lambda size: size > 2
    run = Run(tmp_path, chunk=1)
    run.examine("a", "b", "c", "d", "e")
    assert [len(job) for job in site.submitted] == [2, 2, 1]
    site.refuses = lambda size: size > 1
    run = Run(tmp_path, chunk=1, again=True)
    run.examine("a", "b", "c")
    assert [len(job) for job in site.submitted[3:]] == [1, 1, 1]


def test_a_site_that_refuses_even_a_single_job(tmp_path: Path, site: Site) -> None:
    site.refuses = lambda size: True
    with pytest.raises(UserError, match=r"refused the job: Invalid .* with --account=x. Change"):
        Run(tmp_path, sbatch=("--account=x",)).examine("a")


def test_damaged_evidence_is_looked_for_again(tmp_path: Path, site: Site) -> None:
    run = Run(tmp_path)
    task = Task("a/diff.cu", run.hand_in("a"), DIFF, Session((), 7, elsewhere=MACHINE))
    site.folder.evidence(run.cluster._expected(task).expected.key).write_text('{"inputs": ')
    run.examine("a")
    assert run.verdicts() == {"a": "graded"} and len(site.submitted) == 1


@pytest.mark.parametrize("is_late", [False, True])
def test_evidence_of_an_earlier_run_counts_unless_new_is_wanted(
    tmp_path: Path, site: Site, is_late: bool
) -> None:
    run = Run(tmp_path, again=is_late)
    task = Task("a/diff.cu", run.hand_in("a"), DIFF, Session((), 7, elsewhere=MACHINE))
    key = run.cluster._expected(task).expected.key
    order = Order(key, task.name, str(task.path), "diff", {}, 7)
    files.write_found(site.folder.evidence(key), of(order, passed(0)))
    run.examine("a")
    found = run.done["a"].tested["correctness"].cases[0].passed
    assert found is is_late and len(site.submitted) == is_late


def test_other_gpus_are_told(tmp_path: Path, site: Site) -> None:
    site.fates = {"b/diff.cu": [{**MACHINE, "gpu": "NVIDIA A100"}]}
    run = Run(tmp_path)
    run.examine("a", "b", "c")
    assert run.machines == {"a": "NVIDIA H200", "b": "NVIDIA A100", "c": "NVIDIA H200"}
    assert "(NVIDIA H200: 2, NVIDIA A100: 1)" in run.said[-1]


def test_another_version_on_a_node_is_a_machine_error(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:

    def with_another_harness(order: Order, fate: Fate) -> str | None:
        found = of(order, passed(1))
        inputs = dataclasses.replace(found.inputs, harness="another")
        files.write_found(
            site.folder.evidence(order.key), dataclasses.replace(found, inputs=inputs)
        )
        return None

    monkeypatch.setattr(site, "_happens", with_another_harness)
    run = Run(tmp_path)
    run.examine("a")
    assert "node7 has another version of TileLab" in run.done["a"].messages[0]


def test_a_queue_that_does_not_answer_loses_nothing(tmp_path: Path, site: Site) -> None:
    site.silent = 1
    run = Run(tmp_path)
    run.examine("a")
    assert run.verdicts() == {"a": "graded"} and len(site.submitted) == 1
    assert run.said == ["Slurm does not answer: Unable to contact slurm controller. Trying again."]


def test_an_error_while_taking_in_cancels_the_jobs(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.fates = {"b/diff.cu": ["RUNNING"]}

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "_done", interrupt)
    with pytest.raises(KeyboardInterrupt):
        Run(tmp_path, chunk=1).examine("a", "b")
    assert site.canceled == ["1"]


def test_what_slurm_needs_itself_cannot_be_chosen() -> None:
    assert sbatch_options(["--partition=gpu --gres=gpu:1", "-A course"]) == (
        *("--partition=gpu", "--gres=gpu:1", "-A", "course"),
    )
    for words in ("--array=0-3", "-a 0-3", "--job-name=x", "'"):
        with pytest.raises(UserError, match="--slurm"):
            sbatch_options([words])


def test_without_slurm_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="there is no squeue here: run this on a machine from"):
        slurm.elements()

"""When a node has to build the harness, and what it can answer, without a Slurm."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from synthetic_class import DIFF
from tilelab.base.errors import InfraError
from tilelab.cluster import slurm
from tilelab.cluster.executor import Cluster
from tilelab.cluster.files import Folder, Harness, Prepared
from tilelab.cluster.options import Options
from tilelab.pipeline.harness.session import Machine

MACHINE: Machine = {"gpu": None, "backend": "emulator"}


class Site:
    """A Slurm whose jobs end at once, with this answer or without any."""

    def __init__(self, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.out = out
        self.build = out / "build"
        self.build.mkdir()
        self.answer: dict[str, Any] | None = dataclasses.asdict(
            Prepared(MACHINE, (Harness("emulator", str(self.build), True),))
        )
        self.submitted = 0
        monkeypatch.setattr(slurm, "submit", self.submit)
        monkeypatch.setattr(slurm, "elements", list)

    def submit(self, script: str, name: str, options: Sequence[str], log: Path) -> None:
        self.submitted += 1
        if self.answer:
            Folder(self.out).prepared(name).write_text(json.dumps(self.answer))

    def prepare(self, *, again: bool = False, **options: Any) -> Machine:
        quick = Options(**{"grace_seconds": 0, "poll_seconds": 0.01, "look_seconds": 0, **options})
        cluster = Cluster(self.out, quick, lambda _: None, again=again)
        return cluster.prepare(None, [DIFF], without_seccomp=False)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(tmp_path, monkeypatch)


def test_a_node_prepares_once_unless_something_changed(site: Site) -> None:
    assert site.prepare() == site.prepare() == MACHINE
    assert site.submitted == 1
    site.prepare(sbatch=("--partition=gpu",))
    assert site.submitted == 2
    site.prepare(again=True)
    assert site.submitted == 3
    site.build.rmdir()
    site.prepare()
    assert site.submitted == 4


def test_a_node_that_could_not_prepare_is_asked_again(site: Site) -> None:
    good, site.answer = site.answer, {"error": "no compiler", "node": "n7"}
    with pytest.raises(InfraError, match="the node n7 cannot grade: no compiler"):
        site.prepare()
    site.answer = good
    assert site.prepare() == MACHINE


def test_a_job_that_ends_without_an_answer(site: Site) -> None:
    site.answer = None
    with pytest.raises(InfraError, match=r"ended without an answer: .*/cluster/logs/tilelab-"):
        site.prepare()

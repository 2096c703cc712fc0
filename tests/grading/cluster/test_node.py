"""What a node does with its chunk of orders."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tilelab.base.errors import InfraError
from tilelab.cluster import node
from tilelab.cluster.files import Batch, Folder, Found, Harness, Order, Prepared, read_found
from tilelab.pipeline.harness.session import Session
from tilelab.sandbox import jail, seccomp


@pytest.fixture
def prepared(emulator: Session) -> Prepared:
    (tool,) = emulator.toolchains
    return Prepared(
        emulator.machine(), (Harness(tool.preset, str(tool.folder), tool.filters_calls),)
    )


def examine(out: Path, prepared: Prepared, *paths: Path) -> list[Found | None]:
    """What one element finds out about files that do not compile."""
    folder = Folder(out)
    orders = tuple(
        Order(f"key{number}", f"student{number}/diff.cu", str(path), "diff", {}, 7)
        for number, path in enumerate(paths)
    )
    batch = Batch(prepared, str(out / "grader.log"), ((), orders))
    node.examine(batch, 1, out / "cluster" / "evidence")
    assert folder.finished() == [order.key for order in orders]
    return [read_found(folder.evidence(order.key)) for order in orders]


def hand_in(folder: Path) -> Path:
    path = folder / "diff.cu"
    path.write_text("#include <fstream>\n")
    return path


def test_evidence_says_where_it_is_from(tmp_path: Path, prepared: Prepared) -> None:
    (found,) = examine(tmp_path, prepared, hand_in(tmp_path))
    assert found and found.evidence.verdict == "rejected"
    assert found.machine == prepared.machine and found.inputs.seed == 7
    assert found.evidence.source == "#include <fstream>\n"
    assert found.evidence.sha256 == found.inputs.submission


def test_a_job_that_starts_again_leaves_what_it_finished(
    tmp_path: Path, prepared: Prepared
) -> None:
    path = hand_in(tmp_path)
    examine(tmp_path, prepared, path)
    path.write_text("something else")
    (found,) = examine(tmp_path, prepared, path)
    assert found and found.evidence.verdict == "rejected"


def test_a_file_that_a_node_does_not_see_is_not_missing(tmp_path: Path, prepared: Prepared) -> None:
    (found,) = examine(tmp_path, prepared, tmp_path / "elsewhere.cu")
    assert found and found.evidence.verdict == "infra_error"
    assert "does not see" in found.evidence.messages[0]


def test_a_node_without_the_sandbox_examines_nothing(
    tmp_path: Path, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    promised = {**prepared.machine, "sandbox": "bubblewrap 0.8.0"}
    monkeypatch.setattr(jail, "name", lambda: "unsandboxed")
    (found,) = examine(tmp_path, dataclasses.replace(prepared, machine=promised), hand_in(tmp_path))
    assert found and found.evidence.verdict == "infra_error"
    assert "cannot grade: it has no sandbox" in found.evidence.messages[0]


def test_a_node_that_cannot_filter_system_calls_examines_nothing(
    tmp_path: Path, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    (harness,) = prepared.harnesses
    promised = dataclasses.replace(
        prepared, harnesses=(dataclasses.replace(harness, filters_calls=True),)
    )
    monkeypatch.setattr(seccomp, "works", lambda _: False)
    (found,) = examine(tmp_path, promised, hand_in(tmp_path))
    assert found and "cannot filter system calls" in found.evidence.messages[0]


def test_a_node_without_the_gpu_examines_nothing(
    tmp_path: Path, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: Harness) -> None:
        raise InfraError("the backend cuda needs an NVIDIA GPU; this machine has none.")

    monkeypatch.setattr(node, "_toolchain", missing)
    (found,) = examine(tmp_path, prepared, hand_in(tmp_path))
    assert found and "needs an NVIDIA GPU" in found.evidence.messages[0]

"""A submission runs on the GPU that CUDA sees first, which nvidia-smi's list tells."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import unbuilt
from tilelab.backends import nvidia
from tilelab.backends.base import Device
from tilelab.base import locks, process
from tilelab.base.errors import InfraError
from tilelab.pipeline import judge
from tilelab.pipeline.judge import Workers
from tilelab.score import lab

FIRST = Device("NVIDIA T400", "580.1", "GPU-1a2b")
SECOND = Device("NVIDIA H200", "580.1", "GPU-3c4d")


@pytest.fixture(autouse=True)
def two_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An nvidia-smi that lists FIRST and SECOND."""
    listed = "\n".join(", ".join(dataclasses.astuple(one)) for one in (FIRST, SECOND))
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\ncat <<END\n{listed}\nEND\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    nvidia.gpu.cache_clear()
    yield
    nvidia.gpu.cache_clear()


def test_a_gpu_is_the_first() -> None:
    assert nvidia.gpu() == FIRST


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        ("0", FIRST),
        ("1", SECOND),
        ("1,0", SECOND),
        (" 1", SECOND),
        ("GPU-3c4d", SECOND),
        ("GPU-3", SECOND),
        ("MIG-5e6f", FIRST),
        ("2", None),
        ("-1", None),
        ("", None),
        ("GPU-7", None),
    ],
)
def test_a_gpu_is_what_cuda_sees_first(
    visible: str, expected: Device | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert nvidia.gpu() == expected


def test_without_a_driver_there_is_no_gpu(tmp_path: Path) -> None:
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\necho 'NVIDIA-SMI has failed, sorry'\nexit 9\n")
    assert nvidia.gpu() is None


def test_submissions_on_different_gpus_do_not_wait_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[str] = []

    @contextlib.contextmanager
    def hold(path: Path) -> Iterator[None]:
        held.append(path.name)
        yield

    monkeypatch.setattr(locks, "exclusive", hold)
    monkeypatch.setattr(process, "run", lambda *_, **__: process.Finished(0, "", False))
    tool, workers = unbuilt("cuda", tmp_path), Workers({"submission": tmp_path})
    for visible in ("0", "1", "GPU-1a2b"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        nvidia.gpu.cache_clear()
        with pytest.raises(InfraError, match="no complete report"):
            judge.run(lab.load("diff"), tool, "speed", workers, seed=1)
    first, second = "tilelab-GPU-1a2b.lock", "tilelab-GPU-3c4d.lock"
    assert list(dict.fromkeys(held)) == [first, second]
    assert held[-1] == first

"""A submission runs on the GPU that CUDA sees first, which nvidia-smi's list tells."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support import unbuilt, wait_until
from tilelab.backends import nvidia
from tilelab.backends.base import Device
from tilelab.base import process
from tilelab.pipeline import judge

FIRST = Device("NVIDIA T400", "580.1", "GPU-1a2b")
SECOND = Device("NVIDIA H200", "580.1", "GPU-3c4d")
THIRD = Device("NVIDIA H200", "580.1", "GPU-5e6f")


@pytest.fixture(autouse=True)
def two_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An nvidia-smi that lists FIRST and SECOND."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    install(tmp_path, FIRST, SECOND)
    yield
    nvidia.gpus.cache_clear()


def install(folder: Path, *gpus: Device) -> None:
    listed = "\n".join(", ".join(dataclasses.astuple(one)) for one in gpus)
    program = folder / "nvidia-smi"
    program.write_text(f"#!/bin/sh\ncat <<END\n{listed}\nEND\n")
    program.chmod(0o755)
    nvidia.gpus.cache_clear()


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


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        (None, [SECOND, THIRD]),
        ("0,1", [SECOND, THIRD]),
        ("1,0", [THIRD, SECOND]),
        ("1,1", [THIRD]),
        ("1", [THIRD]),
        ("GPU-5e6f,7,0", [THIRD]),
        ("1,2", [THIRD]),
        ("2,0,1", [FIRST]),
        ("MIG-1", [SECOND]),
        ("", []),
    ],
)
def test_submissions_run_on_all_gpus_of_one_kind_that_cuda_sees(
    tmp_path: Path, visible: str | None, expected: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, SECOND, THIRD, FIRST)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert list(nvidia.gpus()) == expected


def run_six_judges(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Which GPU each of them was told to use. Asserts that no GPU ran two at a time."""
    used: list[str | None] = []
    busy: set[str | None] = set()

    def pretend(_: list[str], *, seconds: float, env: dict[str, str]) -> process.Finished:
        name = env.get("CUDA_VISIBLE_DEVICES")
        assert name not in busy
        busy.add(name)
        used.append(name)
        assert name is None or name.startswith("MIG") or _is_held(folder / f"tilelab-{name}.lock")
        time.sleep(0.2)
        busy.remove(name)
        return process.Finished(0, "", False)

    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(process, "run", pretend)
    tool = unbuilt("cuda", folder)
    with ThreadPoolExecutor(6) as pool:
        for future in [pool.submit(judge._run_alone, tool, ["judge"]) for _ in range(6)]:
            future.result()
    return used


def test_each_gpu_runs_one_submission_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, SECOND, THIRD)
    used = run_six_judges(tmp_path, monkeypatch)
    assert set(used) == {SECOND.uuid, THIRD.uuid}  # the second one while the first was busy


def test_one_gpu_is_left_as_the_user_named_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_six_judges(tmp_path, monkeypatch) == [None] * 6
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "MIG-1")
    nvidia.gpus.cache_clear()
    assert run_six_judges(tmp_path, monkeypatch) == ["MIG-1"] * 6


def test_another_grader_holds_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, SECOND, THIRD)
    lock = tmp_path / f"tilelab-{SECOND.uuid}.lock"
    holder = subprocess.Popen(["flock", lock, "sleep", "60"], start_new_session=True)
    try:
        wait_until(lambda: _is_held(lock), "holder of the lock")
        assert run_six_judges(tmp_path, monkeypatch) == [THIRD.uuid] * 6
    finally:
        os.killpg(holder.pid, signal.SIGKILL)
        holder.wait()


def _is_held(lock: Path) -> bool:
    """Whether a process keeps all others from this lock."""
    asked = ["flock", "--nonblock", "--shared", lock, "true"]
    return lock.exists() and subprocess.run(asked).returncode != 0

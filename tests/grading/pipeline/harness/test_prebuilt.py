"""Objects of the lab's own kernels, and the machines on which they are of use."""

from __future__ import annotations

import dataclasses
import platform
from pathlib import Path

import pytest
from msgspec.structs import replace

from tilelab.backends import nvidia
from tilelab.base.errors import InfraError
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline.harness import prebuilt
from tilelab.pipeline.harness.prebuilt import MadeBy
from tilelab.pipeline.workers import own

MADE_BY = MadeBy("13.0", platform.machine(), ("8.0", "9.0"))


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A lab without solutions, with objects for this machine, which has CUDA 13.1 and an H200."""
    monkeypatch.setattr(nvidia, "nvcc_version", lambda: "13.1")
    monkeypatch.setattr(nvidia, "capabilities", lambda: ["9.0"])
    diff = replace(lab.load("diff"), repo=tmp_path)
    prebuilt.folder(diff).mkdir(parents=True)
    for path in (diff.reference, diff.step("02_tile")):
        prebuilt.object_of(path, diff).touch()
    prebuilt.note(diff).write_text(MADE_BY.to_json())
    return diff


def missing(copy: Lab) -> str | None:
    return own.missing_for_speed(copy, ["02_tile"])


def test_nothing_is_missing_where_they_can_be_linked_and_run(copy: Lab) -> None:
    assert missing(copy) is None


def test_the_original_needs_no_objects() -> None:
    assert own.missing_for_speed(lab.load("diff"), ["02_tile"]) is None


def test_a_step_without_an_object_is_missing(copy: Lab) -> None:
    prebuilt.object_of(copy.step("02_tile"), copy).unlink()
    said = missing(copy)
    assert said == "needs the reference solution, which this copy of the labs does not have."


@pytest.mark.parametrize("release", ["12.9", "14.0", "9.2", None])
def test_another_release_of_cuda_cannot_link_them(
    release: str | None, copy: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvidia, "nvcc_version", lambda: release)
    said = missing(copy)
    assert said and said.startswith("needs CUDA 13.0 or a later 13:")


def test_an_earlier_release_of_the_same_major_cannot_link_them(
    copy: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    prebuilt.note(copy).write_text(dataclasses.replace(MADE_BY, nvcc="13.2").to_json())
    assert missing(copy)
    monkeypatch.setattr(nvidia, "nvcc_version", lambda: "13.10")
    assert missing(copy) is None


def test_a_gpu_that_they_were_not_compiled_for_is_named(
    copy: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvidia, "capabilities", lambda: ["12.1"])
    said = missing(copy)
    assert said and said.endswith("was not compiled for compute capability 12.1.")


def test_another_processor_is_named(copy: Lab) -> None:
    prebuilt.note(copy).write_text(dataclasses.replace(MADE_BY, machine="riscv64").to_json())
    said = missing(copy)
    assert said and said.startswith("needs a machine with riscv64:")


def test_a_broken_note_is_the_machines_fault(copy: Lab) -> None:
    prebuilt.note(copy).write_text("{}")
    with pytest.raises(InfraError, match="get a new copy of the labs"):
        missing(copy)

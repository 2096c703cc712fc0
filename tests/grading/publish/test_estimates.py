"""The estimates of the lab's own kernels, for a copy that lacks their source."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from support import needs_nvcc, needs_nvdisasm
from tilelab.estimate import figures
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline import estimating
from tilelab.pipeline.harness import missing
from tilelab.pipeline.harness.session import Session
from tilelab.publish import reference
from tilelab.publish.estimates import estimates


def opted_in() -> Lab:
    """A lab whose estimates give points, and whose scale depends on a step of the ladder."""
    one = lab.load("transpose")
    criteria = (replace(it, estimated=it.curve is not None) for it in one.criteria)
    return replace(one, criteria=tuple(criteria))


def test_a_lab_without_estimated_points_needs_none(emulator: Session) -> None:
    assert estimates(lab.load("transpose"), emulator.toolchains[0]) == {}


@pytest.mark.parametrize(
    ("lacking", "estimated"), [("nvdisasm", True), ("nvdisasm", False), (None, True)]
)
def test_a_copy_without_estimates_is_named(
    lacking: str | None, estimated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(missing, "for_estimates", lambda: lacking)
    one = opted_in() if estimated else lab.load("transpose")
    said = [line for line in reference.missing([one]) if "estimated times" in line]
    assert len(said) == (lacking is not None and estimated)
    assert all("transpose" in line and "needs nvdisasm. Then" in line for line in said)


@needs_nvcc
@needs_nvdisasm
def test_a_copy_without_solutions_has_the_same_estimates(emulator: Session, tmp_path: Path) -> None:
    one, tool, gpu = opted_in(), emulator.toolchains[0], figures.usual()
    assert gpu is not None
    ((path, content),) = estimates(one, tool).items()
    copy = replace(one, repo=tmp_path)
    target = tmp_path / path.relative_to(one.repo)
    target.parent.mkdir(parents=True)
    target.write_bytes(content)
    halves = [it.curve.half for it in one.criteria if it.curve and it.curve.half]
    assert halves
    for name in ("reference", *halves):
        ours = one.reference if name == "reference" else one.step(name)
        theirs = copy.reference if name == "reference" else copy.step(name)
        assert estimating.of_ours(theirs, copy, gpu, tool) == (
            estimating.of_ours(ours, one, gpu, tool)
        )
    other = dataclasses.replace(gpu, values={**gpu.values, "gigahertz": 1.0})
    assert estimating.of_ours(copy.reference, copy, other, tool) is None

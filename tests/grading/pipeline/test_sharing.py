"""Judges share what a lab's own kernels did, and nothing else."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from tilelab.labs import lab
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session

pytestmark = pytest.mark.drawn(pool="shared observations", count=2)

LOADED = lab.load("diff")
MEMORY = replace(LOADED, criteria=tuple(one for one in LOADED.criteria if one.name == "memory"))


def memory_of(session: Session) -> Result:
    return submission.grade(LOADED.baseline, MEMORY, session)


@pytest.fixture
def observed(tmp_path: Path) -> Path:
    return tmp_path / "emulator" / "diff"


def test_what_was_seen_is_not_observed_again(
    emulator: Session, tmp_path: Path, observed: Path
) -> None:
    alone = memory_of(emulator)
    sharing = emulator.sharing(tmp_path)
    assert memory_of(sharing) == alone
    assert {path.name.split("-")[0] for path in observed.iterdir()} == {"baseline", "reference"}
    # Whoever reads them believes them: here, that the reference loads what the baseline loads.
    load_as_the_baseline(observed)
    memory_of(sharing)  # looks at a larger call now, since the small ones pass
    load_as_the_baseline(observed)
    believed = memory_of(sharing)
    assert believed.criteria[0].status == "pass" and alone.criteria[0].status == "partial"


def load_as_the_baseline(observed: Path) -> None:
    for path in list(observed.glob("baseline-*")):
        path.with_name(path.name.replace("baseline", "reference")).write_bytes(path.read_bytes())


def test_a_damaged_file_is_observed_again(
    emulator: Session, tmp_path: Path, observed: Path
) -> None:
    sharing = emulator.sharing(tmp_path)
    before = memory_of(sharing)
    for path in observed.iterdir():
        path.write_bytes(path.read_bytes()[:-3])
    assert memory_of(sharing) == before


def test_other_inputs_are_other_observations(
    emulator: Session, tmp_path: Path, observed: Path
) -> None:
    sharing = emulator.sharing(tmp_path)
    memory_of(sharing)
    count = len(list(observed.iterdir()))
    memory_of(dataclasses.replace(sharing, seed=3))
    assert len(list(observed.iterdir())) == 2 * count

"""Every lab judges its own files as it should: what `tilelab verify` asks, on every backend."""

from __future__ import annotations

import pytest

from tilelab import consistency, lab, machine, toolchain, verify
from tilelab.submission import Session
from tilelab.verify import Check

CHECKS = [check for name in lab.all_labs() for check in verify.checks(lab.load(name))]


def name_of(check: Check) -> str:
    return f"{check.lab.name}-{check.kind}-{check.path.stem}"


@pytest.fixture(scope="module", params=toolchain.BACKENDS)
def session(request: pytest.FixtureRequest) -> Session:
    if request.param == "emulator-clang" and machine.version("clang++") is None:
        pytest.skip("clang++ is not installed")
    if request.param == "cuda" and (machine.nvcc() is None or machine.gpu() is None):
        pytest.skip("needs an NVIDIA GPU and the CUDA Toolkit")
    return Session([toolchain.prepare(request.param)], seed=20)


@pytest.mark.parametrize("check", CHECKS, ids=name_of)
def test_a_file_is_judged_as_it_should_be(check: Check, session: Session) -> None:
    on_every_backend = check.kind in ("reference", "mistakes")
    if not on_every_backend and session.toolchains[0].preset != "emulator":
        pytest.skip("a compiler makes no difference to this one")
    assert check.problem(session) is None


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_texts_of_a_lab_agree(name: str) -> None:
    assert consistency.problems(lab.load(name)) == []

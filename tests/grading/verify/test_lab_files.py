"""Every lab passes `tilelab verify` on every backend."""

from __future__ import annotations

import functools

import pytest

from tilelab.backends import BACKENDS
from tilelab.backends.base import Backend
from tilelab.pipeline import toolchain
from tilelab.pipeline.session import Session
from tilelab.score import lab
from tilelab.verify import consistency, lab_files
from tilelab.verify.lab_files import Check

CHECKS = [check for name in lab.all_labs() for check in lab_files.checks(lab.load(name))]
# The emulator counts the same with every compiler, but a judge's messages may differ.
PAIRS = [
    (backend, check)
    for backend in BACKENDS
    for check in CHECKS
    if backend.preset == "emulator" or check.kind in ("reference", "mistakes")
]


def name_of(pair: tuple[Backend, Check]) -> str:
    backend, check = pair
    return f"{backend.preset}-{check.lab.name}-{check.kind}-{check.path.stem}"


def session_of(backend: Backend) -> Session:
    if missing := backend.missing():
        pytest.skip(f"needs {missing}")
    # As a machine with a GPU grades, because a data race need not show on the GPU.
    used = ["emulator", backend.preset] if backend.needs_gpu else [backend.preset]
    return Session([_prepared(one) for one in used], seed=20)


@functools.cache
def _prepared(preset: str) -> toolchain.Toolchain:
    return toolchain.prepare(preset)


@pytest.mark.parametrize("pair", PAIRS, ids=name_of)
def test_a_file_is_judged_as_it_should_be(pair: tuple[Backend, Check]) -> None:
    backend, check = pair
    assert check.problem(session_of(backend)) is None


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_texts_of_a_lab_agree(name: str) -> None:
    assert consistency.problems(lab.load(name)) == []

"""Every lab passes `tilelab verify` on every backend."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from tilelab.backends import BACKENDS
from tilelab.backends.base import Backend
from tilelab.pipeline import toolchain
from tilelab.pipeline.session import Session
from tilelab.score import lab
from tilelab.verify import consistency, lab_files
from tilelab.verify.lab_files import Check

SessionOf = Callable[[Backend], Session]

CHECKS = [check for name in lab.all_labs() for check in lab_files.checks(lab.load(name))]
# The emulator counts the same with every compiler, but a judge's messages may differ. The backends
# of a file come one after the other, so that one process takes them and nvcc reads the file once.
PAIRS = [
    (backend, check)
    for check in CHECKS
    for backend in BACKENDS
    if backend.preset == "emulator" or check.kind in ("reference", "mistakes")
]


def name_of(pair: tuple[Backend, Check]) -> str:
    backend, check = pair
    return f"{backend.preset}-{check.lab.name}-{check.kind}-{check.path.stem}"


@pytest.fixture(scope="module")
def session_of(tmp_path_factory: pytest.TempPathFactory) -> SessionOf:
    """As `verify` does, judges observe the labs' own kernels once for all files."""

    @functools.cache
    def made(backend: Backend) -> Session:
        # As a machine with a GPU grades, because a data race need not show on the GPU.
        used = ["emulator", backend.preset] if backend.needs_gpu else [backend.preset]
        session = Session([toolchain.prepare(one) for one in used], seed=20)
        return session.sharing(tmp_path_factory.mktemp("observed"))

    return made


@pytest.mark.parametrize("pair", PAIRS, ids=name_of)
def test_a_file_is_judged_as_it_should_be(
    pair: tuple[Backend, Check], session_of: SessionOf
) -> None:
    backend, check = pair
    if missing := backend.missing():
        pytest.skip(f"needs {missing}")
    assert check.problem(session_of(backend)) is None


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_texts_of_a_lab_agree(name: str) -> None:
    assert consistency.problems(lab.load(name)) == []

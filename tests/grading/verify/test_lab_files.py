"""Every lab passes `tilelab verify` on every backend."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import pytest

from tilelab.backends import BACKENDS
from tilelab.backends.base import Backend
from tilelab.labs import lab
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session
from tilelab.verify import consistency, lab_files, mistakes
from tilelab.verify.lab_files import Check

SessionOf = Callable[[Backend], Session]

CHECKS = [check for name in lab.all_labs() for check in lab_files.checks(lab.load(name))]


def name_of(backend: Backend, check: Check) -> str:
    return f"{backend.preset}-{check.lab.name}-{check.kind}-{check.path.stem}"


# How many files besides references and mistakes the first tier judges.
OTHERS = 3


def is_same_with_every_compiler(check: Check) -> bool:
    """Whether a mistake shows in values. Findings name lines and variables, as compilers do."""
    return mistakes.gives_wrong_results(mistakes.read(check.path), check.lab)


def marks(backend: Backend, check: Check) -> Iterator[pytest.MarkDecorator]:
    yield pytest.mark.judges(lab=check.lab.name)
    if backend.preset != "emulator":
        yield pytest.mark.preset(name=backend.preset)
        if check.kind == "mistakes" and is_same_with_every_compiler(check):
            yield pytest.mark.thorough
    if check.kind == "mistakes":
        yield pytest.mark.drawn(pool=f"{backend.preset} {check.lab.name}")
    elif check.kind != "reference":
        yield pytest.mark.drawn(pool=f"{backend.preset} others", count=OTHERS)


# The emulator counts the same with every compiler, but a judge's messages may differ. The backends
# of a file come one after the other, so that one process takes them and nvcc reads the file once.
PAIRS = [
    pytest.param((backend, check), marks=[*marks(backend, check)], id=name_of(backend, check))
    for check in CHECKS
    for backend in BACKENDS
    if backend.preset == "emulator" or check.kind in ("reference", "mistakes")
]


@pytest.fixture(scope="module")
def session_of(tmp_path_factory: pytest.TempPathFactory) -> SessionOf:
    """As `verify` does, judges observe the labs' own kernels once for all files."""

    @functools.cache
    def made(backend: Backend) -> Session:
        # As a machine with a GPU grades, because a data race need not show on the GPU.
        used = ["emulator", backend.preset] if backend.needs_gpu else [backend.preset]
        session = Session([toolchain.prepare(one) for one in used], seed=20)
        return session.of_own_files().sharing(tmp_path_factory.mktemp("observed"))

    return made


@pytest.mark.parametrize("pair", PAIRS)
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

"""Every lab judges its own files as it should: what `tilelab verify` asks, on every backend."""

from __future__ import annotations

import functools

import pytest

from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.pipeline import toolchain
from tilelab.pipeline.session import Session
from tilelab.score import lab
from tilelab.verify import consistency, lab_files
from tilelab.verify.lab_files import Check

CHECKS = [check for name in lab.all_labs() for check in lab_files.checks(lab.load(name))]
# What the emulator counts is the same under every compiler; what a judge says need not be.
PAIRS = [
    (backend, check)
    for backend in toolchain.BACKENDS
    for check in CHECKS
    if backend == "emulator" or check.kind in ("reference", "mistakes")
]


def name_of(pair: tuple[str, Check]) -> str:
    backend, check = pair
    return f"{backend}-{check.lab.name}-{check.kind}-{check.path.stem}"


def session_of(backend: str) -> Session:
    if backend == "emulator-clang" and system.version("clang++") is None:
        pytest.skip("clang++ is not installed")
    if backend == "cuda" and (nvidia.nvcc() is None or nvidia.gpu() is None):
        pytest.skip("needs an NVIDIA GPU and the CUDA Toolkit")
    # As a GPU's machine grades: a race need not show on the GPU.
    backends = ["emulator", "cuda"] if backend == "cuda" else [backend]
    return Session([_prepared(one) for one in backends], seed=20)


@functools.cache
def _prepared(backend: str) -> toolchain.Toolchain:
    return toolchain.prepare(backend)


@pytest.mark.parametrize("pair", PAIRS, ids=name_of)
def test_a_file_is_judged_as_it_should_be(pair: tuple[str, Check]) -> None:
    backend, check = pair
    assert check.problem(session_of(backend)) is None


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_texts_of_a_lab_agree(name: str) -> None:
    assert consistency.problems(lab.load(name)) == []

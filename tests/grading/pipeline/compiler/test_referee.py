"""nvcc compiles every submission where it is installed. A broken one is nobody's fault."""

from __future__ import annotations

import dataclasses
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from support import SAMPLE_CLASS, Write, inspected, needs_nvcc
from tilelab.backends import nvidia
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline import submission
from tilelab.pipeline.compiler import referee
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.stages import Ruling
from tilelab.pipeline.records.toolchain import Toolchain

pytestmark = pytest.mark.drawn(pool="rulings of nvcc", count=4)

HONEST = (SAMPLE_CLASS / "hazel" / "diff.cu").read_text()
# g++ takes it, and so does the emulator's front end.
ONLY_NVCC_REFUSES = HONEST + (
    "template <class T> __global__ void apply(T action, int* out) { action(out); }\n"
    "void unused(int* out) { apply<<<1, 1>>>([](int* to) { *to = 1; }, out); }\n"
)


def pretend(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Makes a script this machine's nvcc."""
    path = folder / "toolkit" / "bin" / "nvcc"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(nvidia, "nvcc", lambda: path)


@needs_nvcc
def test_nvcc_s_own_words_are_shown(emulator: Session, cu: Write) -> None:
    result = submission.grade(cu(ONLY_NVCC_REFUSES), lab.load("diff"), emulator)
    assert result.verdict == "compile_error"
    line = ONLY_NVCC_REFUSES.count("\n")
    assert result.messages[0].startswith(f"diff.cu:{line}: error: The closure type for a lambda")


@needs_nvcc
def test_the_host_compiler_s_words_come_before_those_of_nvcc(emulator: Session, cu: Write) -> None:
    text = HONEST + "void helper() {}\nvoid unused() { helper<<<1, 1>>>(); }\n"
    result = submission.grade(cu(text), lab.load("diff"), emulator)
    line = text.count("\n")
    (message,) = result.messages
    assert message == (
        f"diff.cu:{line}: error: helper is launched like a kernel, but it is none: "
        "is its __global__ missing?"
    )


def test_a_machine_without_nvcc_goes_on(
    emulator: Session, cu: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvidia, "nvcc", lambda: None)
    assert emulator.machine()["referee"] is None
    result = submission.grade(cu(HONEST), lab.load("diff"), emulator)
    assert (result.verdict, result.messages) == ("graded", [])
    text = HONEST + "void helper() {}\nvoid unused() { helper<<<1, 1>>>(); }\n"
    refused = submission.grade(cu(text), lab.load("diff"), emulator)
    assert refused.verdict == "compile_error"
    assert "helper is launched like a kernel, but it is none" in refused.messages[0]


@pytest.mark.parametrize(
    "script",
    [
        "echo 'nvcc fatal: cicc not found' >&2; exit 1",
        "echo 'diff.h(3): error: vector_types.h: No such file or directory' >&2; exit 1",
        "kill -SEGV $$",
    ],
)
def test_a_broken_nvcc_is_ignored_and_named(
    script: str, emulator: Session, cu: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pretend(monkeypatch, tmp_path, script)
    result = submission.grade(cu(HONEST), lab.load("diff"), emulator)
    assert result.verdict == "graded"
    assert result.messages[0].startswith("nvcc was ignored, because it does not work here: ")


def test_nvcc_reads_a_file_that_it_took_only_once(
    emulator: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = (
        "grep -q wrong diff.cu && { echo 'diff.cu(1): error: wrong'; exit 1; }\n"
        'for word; do output=$word; done; : >"$output"'
    )
    pretend(monkeypatch, tmp_path, script)
    (tmp_path / "toolkit" / "nvvm").mkdir()  # so the compiler's jail shows the script

    def is_read(text: str, number: int) -> bool:
        folder = tmp_path / f"read_{number}"
        ruling = referee.rule(inspected(text), emulator.toolchains, folder)
        assert (ruling.error is not None) == (text == "wrong\n")
        return folder.exists()

    texts = ["taken\n", "taken\n", "other\n", "wrong\n", "wrong\n"]
    read = [is_read(text, number) for number, text in enumerate(texts)]
    assert read == [True, False, True, True, True]


def test_what_nvcc_took_of_our_own_files_is_known_to_later_commands(
    emulator: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = '[ "$1" = --version ] || { for word; do output=$word; done; : >"$output"; }'
    pretend(monkeypatch, tmp_path, script)
    (tmp_path / "toolkit" / "nvvm").mkdir()
    (own,) = emulator.of_own_files().toolchains
    keeping = dataclasses.replace(own, accepted=tmp_path / "accepted")
    diff, works = lab.load("diff"), iter(range(9))

    def is_read(text: str, tool: Toolchain, of: Lab = diff) -> bool:
        referee._accepted.clear()  # as a new command begins
        folder = tmp_path / f"read_{next(works)}"
        assert referee.rule(inspected(text, of), [tool], folder) == Ruling()
        return folder.exists()

    assert own.accepted is not None and emulator.toolchains[0].accepted is None
    assert is_read("one\n", keeping) and not is_read("one\n", keeping)
    assert is_read("two\n", keeping)
    assert is_read("one\n", keeping, lab.load("nbody"))  # with another header
    assert is_read("one\n", emulator.toolchains[0])  # as a student's file is
    nvcc = nvidia.nvcc()
    assert nvcc is not None
    os.utime(nvcc, ns=(1, 1))
    referee._identity.cache_clear()
    assert is_read("one\n", keeping)


def test_a_backend_that_compiles_with_nvcc_needs_no_referee(
    emulator: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pretend(monkeypatch, tmp_path, "exit 1")
    tool = emulator.toolchains[0]
    monkeypatch.setattr(type(tool.backend), "is_referee", True)
    assert referee.rule(inspected(HONEST), [tool], tmp_path / "work") == Ruling()


@needs_nvcc
def test_one_compilation_by_nvcc_is_enough(emulator: Session, tmp_path: Path) -> None:
    text = inspected(ONLY_NVCC_REFUSES)
    with referee.compiled_elsewhere(text):
        referee.accept(text)
        ruling = referee.rule(text, emulator.toolchains, tmp_path / "nvcc")
    assert ruling == Ruling()
    assert not (tmp_path / "nvcc").exists()


@needs_nvcc
def test_what_nvcc_did_not_take_elsewhere_is_compiled(
    emulator: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, toolchains = inspected(ONLY_NVCC_REFUSES), emulator.toolchains
    is_waiting = threading.Event()

    class Compiling(Future[bool]):
        def result(self, timeout: float | None = None) -> bool:
            is_waiting.set()
            return super().result(timeout)

    monkeypatch.setattr(referee, "Future", Compiling)
    with ThreadPoolExecutor(1) as pool:
        with referee.compiled_elsewhere(text):
            referee.accept(inspected(HONEST))
            ruled = pool.submit(referee.rule, text, toolchains, tmp_path / "nvcc")
            assert is_waiting.wait(60)
            assert not ruled.done()
        error = ruled.result().error
    assert error is not None and "closure type" in error.messages[0]

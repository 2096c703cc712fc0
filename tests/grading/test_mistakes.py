"""Every typical mistake is caught, by the test and with the sentence that its head names."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from tilelab import lab, machine, toolchain
from tilelab.records import Result
from tilelab.submission import Session, grade

SOLUTIONS = lab.REPO / "solutions"
MISTAKES = sorted(SOLUTIONS.glob("*/mistakes/*.cu"))


def name_of(path: Path) -> str:
    return f"{path.parents[1].name}-{path.stem}"


def head_line(path: Path, key: str) -> str:
    match = re.search(rf"^// {key}: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert match, f"{path} needs a line '// {key}: ...' in its head"
    return match[1]


@pytest.fixture(scope="module", params=toolchain.BACKENDS)
def session(request: pytest.FixtureRequest) -> Session:
    if request.param == "emulator-clang" and machine.version("clang++") is None:
        pytest.skip("clang++ is not installed")
    if request.param == "cuda" and (machine.nvcc() is None or machine.gpu() is None):
        pytest.skip("needs an NVIDIA GPU and the CUDA Toolkit")
    return Session([toolchain.prepare(request.param)], seed=20)


def correctness_of(path: Path, session: Session) -> Result:
    loaded = lab.load(path.relative_to(SOLUTIONS).parts[0])
    untimed = tuple(criterion for criterion in loaded.criteria if criterion.needs is None)
    return grade(path, dataclasses.replace(loaded, criteria=untimed), session)


@pytest.mark.parametrize("path", MISTAKES, ids=name_of)
def test_a_mistake_gets_its_diagnosis(path: Path, session: Session) -> None:
    result = correctness_of(path, session)
    assert result.verdict == "graded", result.messages
    test, sentence = head_line(path, "Test"), head_line(path, "Says")
    messages = result.criteria[0].messages
    assert [m for m in messages if m.startswith(f"{test}: ") and sentence in m], messages


@pytest.mark.parametrize("name", lab.all_labs())
def test_a_reference_solution_is_right(name: str, session: Session) -> None:
    result = correctness_of(SOLUTIONS / name / f"{name}.cu", session)
    assert [c.status for c in result.criteria] == ["pass"], result


@pytest.mark.parametrize("name", lab.all_labs())
def test_every_lab_has_its_mistakes(name: str) -> None:
    assert len(list((SOLUTIONS / name / "mistakes").glob("*.cu"))) >= 8

"""A function that returns errors is asked for each of them, however it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tilelab.labs import lab
from tilelab.model.case import Case
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session

LAB = replace(
    lab.load("first_kernel"),
    criteria=tuple(one for one in lab.load("first_kernel").criteria if one.name == "correctness"),
)
REFERENCE = LAB.reference.read_text(encoding="utf-8")
TEST = "saxpy_from_host returns the error of the first call that fails"
HONEST = sorted((Path(__file__).parent / "returned_errors").glob("*.cu"))

# A call whose result the reference solution keeps.
_KEPT = re.compile(r"(cudaError_t )?\berror = (?=(cuda\w+)\()")
_GUARDED = re.compile(r"if \(error == cudaSuccess\) error = (cuda\w+\(.*\));")
_FREED = re.compile(r"(?=cudaFree\((\w+)\);)")


def mutants() -> Iterator[tuple[str, str, str]]:
    """What was done to the reference solution, the text that this makes, and what is said of it."""
    for found in _KEPT.finditer(REFERENCE):
        declared = "cudaError_t error = cudaSuccess; " if found[1] else ""
        yield f"{_line(found)} {found[2]} unchecked", _by(found, f"{declared}(void)"), "cuda"
    for found in _GUARDED.finditer(REFERENCE):
        late = f"{{ const cudaError_t late = {found[1]}; if (error == cudaSuccess) error = late; }}"
        yield f"{_line(found)} goes on", _by(found, late), "went on with cuda"
    for found in _FREED.finditer(REFERENCE):
        text = _by(found, "if (error == cudaSuccess) ")
        yield f"{_line(found)} kept after an error", text, "without freeing"
    for call in ("cudaDeviceReset()", "cudaDeviceSynchronize()", "cudaStreamSynchronize(nullptr)"):
        text = REFERENCE.replace("return error;", f"if (error) {call}; return error;")
        yield f"{call} at the end", text, f"went on with {call.partition('(')[0]} at first_kernel."
    hard_wired = "return error == cudaSuccess ? error : cudaErrorMemoryAllocation;"
    yield "hard-wired", REFERENCE.replace("return error;", hard_wired), "cudaErrorMemoryAllocation"
    when_small = "return n < 10000 ? error : cudaSuccess;"
    yield "when small", REFERENCE.replace("return error;", when_small), "returned cudaSuccess"
    # No constant in the text tells where it begins.
    for bits in (13, 15, 18):
        text = REFERENCE.replace("return error;", f"return n >> {bits} ? cudaSuccess : error;")
        yield f"below 2^{bits}", text, "returned cudaSuccess"
    for calls in (4, 20, 50):
        counted = f"static int calls = 0; return ++calls > {calls} ? cudaSuccess : error;"
        text = REFERENCE.replace("return error;", counted)
        yield f"in the first calls up to {calls}", text, "without an error, the "


def _line(found: re.Match[str]) -> int:
    return REFERENCE.count("\n", 0, found.start()) + 1


def _by(found: re.Match[str], text: str) -> str:
    return REFERENCE[: found.start()] + text + REFERENCE[found.end() :]


def judged(text: str, folder: Path, session: Session) -> dict[str, Case]:
    """The tests of correctness by name."""
    path = folder / "first_kernel.cu"
    path.write_text(text, encoding="utf-8")
    found = submission.examine(path, LAB, session)
    assert found.verdict == "graded", found.messages
    return {case.name: case for case in found.tested["correctness"].cases}


@pytest.mark.judges(lab="first_kernel")
@pytest.mark.drawn(pool="returned errors", count=1)
@pytest.mark.parametrize(
    ("text", "says"), [pytest.param(text, says, id=name) for name, text, says in mutants()]
)
def test_an_error_that_is_not_returned_is_found(
    text: str, says: str, emulator: Session, tmp_path: Path
) -> None:
    cases = judged(text, tmp_path, emulator)
    assert [name for name, case in cases.items() if not case.passed] == [TEST]
    assert "was made to fail with" in cases[TEST].texts[0]
    assert says in cases[TEST].texts[0]


@pytest.mark.judges(lab="first_kernel")
@pytest.mark.drawn(pool="ways to return errors", count=1)
@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_no_way_to_return_errors_is_refused(path: Path, emulator: Session, tmp_path: Path) -> None:
    others, _, _ = REFERENCE.partition("cudaError_t saxpy_from_host")
    text = others + path.read_text(encoding="utf-8")
    failed = [case.texts for case in judged(text, tmp_path, emulator).values() if not case.passed]
    assert not failed


def test_the_line_of_the_call_is_named(emulator: Session, tmp_path: Path) -> None:
    text = REFERENCE.replace("return error;", "return cudaSuccess;")
    line = text[: text.index("cudaMalloc(")].count("\n") + 1
    said = judged(text, tmp_path, emulator)[TEST].messages[0]
    assert said.text.startswith(
        f"The 1st CUDA call, cudaMalloc at first_kernel.cu:{line}, was made to fail with "
        "cudaErrorMemoryAllocation, and saxpy_from_host returned cudaSuccess."
    )
    assert [place.line for place in said.places] == [line]

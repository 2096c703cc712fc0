"""The `Slots:` lines of the solutions say what a pair costs in nvcc's machine code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import REPO, inspected, needs_nvcc, needs_nvdisasm
from tilelab.backends import nvidia
from tilelab.base.heads import head_line
from tilelab.estimate import sass
from tilelab.estimate.sass import Function, Loop
from tilelab.labs import lab
from tilelab.pipeline.estimating import machine_code


@dataclass(frozen=True)
class Claim:
    """A line such as `// Slots: 6.8 per pair (1 FMUL)`. The FMULs of a loop count its pairs."""

    slots: float
    marks: int
    mark: str

    def pairs(self, loop: Loop) -> float:
        return loop.operations[self.mark] / self.marks


def claim_of(path: Path) -> Claim | None:
    text = head_line(path, "Slots")
    if text is None:
        return None
    match = re.fullmatch(r"(\d+\.\d) per pair \((\d) ([A-Z]+)\)", text)
    assert match, f"{path}: '// Slots: {text}' is not of the form 6.8 per pair (1 FMUL)"
    return Claim(float(match[1]), int(match[2]), match[3])


def slots_per_pair(functions: list[Function], claim: Claim) -> float:
    """The slots per pair of the shortest loop among those with the most pairs.

    A longer loop tests for a thread's own point, and runs only for the block's own tile.
    """
    loops = [loop for function in functions for loop in function.loops]
    most = max(claim.pairs(loop) for loop in loops)
    assert most > 0, f"no loop has a {claim.mark}"
    return min(loop.slots / most for loop in loops if claim.pairs(loop) == most)


CLAIMS = [
    (path, claim)
    for path in sorted(REPO.glob("solutions/**/*.cu"))
    if (claim := claim_of(path)) is not None
]


@needs_nvcc
@needs_nvdisasm
@pytest.mark.parametrize(("path", "claim"), CLAIMS, ids=[path.stem for path, _ in CLAIMS])
def test_a_pair_takes_as_many_slots_as_the_head_says(
    path: Path, claim: Claim, tmp_path: Path
) -> None:
    the_lab = lab.load(path.relative_to(REPO).parts[1])
    cubin = machine_code.compile_for((9, 0), inspected(path.read_text(), the_lab), tmp_path)
    functions = machine_code.disassemble(cubin)
    # The figures are those of nvcc 13.0.
    slack = 0.051 if nvidia.nvcc_version() == "13.0" else 0.05 * claim.slots
    assert slots_per_pair(functions, claim) == pytest.approx(claim.slots, abs=slack)


def test_some_solutions_say_what_a_pair_costs() -> None:
    labs = {path.relative_to(REPO).parts[1] for path, _ in CLAIMS}
    assert labs >= {"nbody", "nearest_neighbor"}


CODE = """
\t.section\t.text.first,"ax",@progbits
.L_x_1:
        /*0000*/                   FMUL R1, R2, R3 ;
.L_x_2:
        /*0010*/              @!P0 FMUL.FTZ R1, R2, R3 ;
        /*0020*/                   MUFU.RSQ R4, R0 ;
        /*0030*/               @P1 BRA `(.L_x_2) ;
        /*0040*/                   BRA.U !UP0, `(.L_x_1) ;
        /*0050*/               @P0 BRA `(.L_x_3) ;
.L_x_3:
        /*0060*/                   EXIT ;
\t.section\t.text.second,"ax",@progbits
.L_x_4:
        /*0000*/                   FMUL R1, R2, R3 ;
        /*0010*/                   FMUL R1, R2, R3 ;
        /*0020*/                   FADD R1, R2, R3 ;
        /*0030*/                   IADD3 R1, R2, R3, R4 ;
        /*0040*/               @P1 BRA `(.L_x_4) ;
"""


@pytest.mark.parametrize(
    ("claim", "slots"),
    [(Claim(2.5, 1, "FMUL"), 2.5), (Claim(5.0, 2, "FMUL"), 5.0), (Claim(3.0, 1, "MUFU"), 3.0)],
)
def test_slots_are_those_of_the_loop_with_the_most_pairs(claim: Claim, slots: float) -> None:
    assert slots_per_pair(sass.read(CODE, "lab.cu"), claim) == slots

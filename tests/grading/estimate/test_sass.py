"""Machine code as nvdisasm prints it."""

from __future__ import annotations

import pytest

from tilelab.estimate import sass
from tilelab.estimate.pipes import by_pipe, pipe

CODE = """
\t.section\t.text.first,"ax",@progbits
.L_x_1:
\t//## File "/tmp/compile/lab.cu", line 3
        /*0000*/                   FMUL R1, R2, R3 ;
.L_x_2:
        /*0010*/              @!P0 FMUL.FTZ R1, R2, R3 ;
\t//## File "/usr/include/header.hpp", line 9 inlined at "/tmp/compile/lab.cu", line 5
\t//## File "/tmp/compile/lab.cu", line 7
        /*0020*/                   MUFU.RSQ R4, R0 ;
\t//## File "/usr/include/header.hpp", line 4
        /*0030*/               @P1 BRA `(.L_x_2) ;
        /*0040*/                   BRA.U !UP0, `(.L_x_1) ;
        /*0050*/               @P0 BRA `(.L_x_3) ;
.L_x_3:
        /*0060*/                   EXIT ;
.L_x_9:
        /*0070*/                   BRA `(.L_x_9) ;
\t.section\t.text.second,"ax",@progbits
.L_x_4:
        /*0000*/                   FMUL R1, R2, R3 ;
        /*0010*/                   FMUL R1, R2, R3 ;
        /*0020*/                   FADD R1, R2, R3 ;
        /*0030*/                   IADD3 R1, R2, R3, R4 ;
        /*0040*/               @P1 BRA `(.L_x_4) ;
"""


def test_innermost_loops_are_found_in_every_function() -> None:
    first, second = sass.read(CODE, lambda file: file.endswith("lab.cu"))
    assert (first.name, second.name) == ("first", "second")
    assert [dict(loop.operations) for loop in first.loops] == [{"FMUL": 1, "MUFU": 1, "BRA": 1}]
    assert [loop.slots for loop in second.loops] == [5]


def test_an_instruction_belongs_to_the_line_of_the_file_that_it_was_inlined_into() -> None:
    first, _ = sass.read(CODE, lambda file: file.endswith("lab.cu"))
    assert [one.line for one in first.instructions] == [3, 3, 5, None, None, None, None, None]
    assert first.instructions[1].text == "@!P0 FMUL.FTZ R1, R2, R3"


@pytest.mark.parametrize(
    ("operation", "where"),
    [
        *(("FFMA", "FMA"), ("IMAD", "FMA"), ("IADD3", "ALU"), ("FSETP", "ALU"), ("MUFU", "XU")),
        *(("LDS", "LSU"), ("LDG", "LSU"), ("STG", "LSU"), ("SHFL", "LSU"), ("LDC", "ADU")),
        *(("BAR", "ADU"), ("BRA", "CBU"), ("UIADD3", "Uniform"), ("DFMA", "FP64")),
        *(("HMMA", "Tensor"), ("HFMA2", "FP16"), ("NOVELTY", "other")),
    ],
)
def test_an_operation_has_a_pipe(operation: str, where: str) -> None:
    assert pipe(operation) == where


def test_pipes_are_counted() -> None:
    assert by_pipe(["FFMA", "FADD", "LDS"]) == {"FMA": 2, "LSU": 1}

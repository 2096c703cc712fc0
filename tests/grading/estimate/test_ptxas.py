"""What ptxas says about kernels."""

from __future__ import annotations

from tilelab.estimate import ptxas
from tilelab.estimate.ptxas import Resources

OUTPUT = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z4tilePKf' for 'sm_90'
ptxas info    : Function properties for _Z4tilePKf
    48 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 48 bytes cumulative stack size, 4096 bytes smem
ptxas info    : Function properties for _Z6helperf
    16 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Compile time = 21.508 ms
ptxas info    : Compiling entry function '_Z5emptyv' for 'sm_90'
ptxas info    : Function properties for _Z5emptyv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, used 0 barriers, 368 bytes cmem[0]
"""


def test_each_kernel_has_its_registers_and_memory() -> None:
    assert ptxas.read(OUTPUT) == [
        Resources("_Z4tilePKf", 32, 4096, 48, 8, 12),
        Resources("_Z5emptyv", 4),
    ]


def test_a_file_without_kernels_has_none() -> None:
    assert ptxas.read("ptxas info    : 0 bytes gmem\n") == []

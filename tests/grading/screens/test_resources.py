"""What `tilelab profile` prints about registers, occupancy and machine code."""

from __future__ import annotations

import io

from msgspec.structs import replace
from rich.console import Console

from made_profile import launch
from tilelab.model.profile import Instruction, Loop, MachineCode, Room, Taken, Target
from tilelab.screens.resources import note, resource_lines, show_loops

FULL = Room(8, 64, 1.0, ("warps",))
TAKEN = Taken("tile<64>", 32, 9216, 0, 0, 0, FULL)


def lines(*resources: Taken) -> list[str]:
    return list(resource_lines(launch(resources=resources), "NVIDIA H100"))


def test_full_occupancy_has_no_limiter() -> None:
    assert lines(TAKEN) == [
        "32 registers per thread",
        "occupancy 100% on NVIDIA H100: 8 blocks of 8 warps on a multiprocessor",
    ]


def test_less_has_one() -> None:
    some = Room(1, 1, 1 / 64, ("registers", "shared memory"))
    assert lines(replace(TAKEN, occupancy=some))[1] == (
        "occupancy 1.6% on NVIDIA H100: 1 block of 1 warp on a multiprocessor, "
        "limited by registers and shared memory"
    )


def test_a_launch_that_is_impossible_says_why() -> None:
    none = Room(0, 0, 0.0, ("shared memory",))
    assert lines(replace(TAKEN, occupancy=none))[1] == (
        "NVIDIA H100 cannot run it: a block needs more shared memory than there is"
    )


def test_spills_and_the_stack_are_named() -> None:
    text = lines(replace(TAKEN, stack_bytes=48, spill_store_bytes=8, spill_load_bytes=1200))[0]
    assert text == (
        "32 registers per thread, 48 bytes of stack, "
        "registers spilled: stores of 8 bytes, loads of 1,200"
    )


def test_several_instances_have_their_names() -> None:
    found = lines(TAKEN, replace(TAKEN, kernel="tile<128>"))
    assert [one.partition(":")[0] for one in found] == ["tile<64>"] * 2 + ["tile<128>"] * 2


def test_a_launch_without_resources_says_nothing() -> None:
    assert lines() == []
    assert list(resource_lines(launch(), "NVIDIA H100")) == []


def test_the_note_says_what_is_missing_or_close() -> None:
    gpu = Target("Tesla K20", "3.5")
    assert note(MachineCode(gpu, missing="nvcc")) == ("Registers and occupancy need nvcc.")
    assert note(MachineCode(gpu, "7.5")) == (
        "nvcc does not compile for compute capability 3.5; registers are those for 7.5."
    )
    assert note(MachineCode(gpu, "3.5")) is None


def test_a_loop_shows_each_source_line_before_its_instructions() -> None:
    instructions = (
        Instruction(7, "sum += tile[i];", "LDS R1, [R2]"),
        Instruction(7, "sum += tile[i];", "FADD R3, R3, R1"),
        Instruction(None, None, "BRA `(.L_x_1)"),
    )
    pipes = {"LSU": 1, "FMA": 1, "CBU": 1}
    output = io.StringIO()
    show_loops(
        Console(file=output, width=80),
        [Loop("tile<64>", pipes, instructions)],
    )
    assert output.getvalue().splitlines() == [
        "",
        "tile<64>, a loop of 3 slots",
        "by pipe: 1 LSU, 1 FMA, 1 CBU",
        "    7  sum += tile[i];",
        "       LDS R1, [R2]",
        "       FADD R3, R3, R1",
        "       ",
        "       BRA `(.L_x_1)",
    ]

"""What `tilelab profile` prints about registers, occupancy and machine code."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from tilelab.screens.resources import note, resource_lines, show_loops

FULL = {"blocks": 8, "warps": 64, "share": 1.0, "limited_by": ["warps"]}


def taken(**changed: Any) -> dict[str, Any]:
    one = {
        "kernel": "tile<64>",
        "registers": 32,
        "static_shared_bytes": 9216,
        "stack_bytes": 0,
        "spill_store_bytes": 0,
        "spill_load_bytes": 0,
        "occupancy": FULL,
    }
    return one | changed


def lines(*resources: dict[str, Any]) -> list[str]:
    return list(resource_lines({"resources": resources}, "NVIDIA H100"))


def test_full_occupancy_has_no_limiter() -> None:
    assert lines(taken()) == [
        "32 registers per thread",
        "occupancy 100% on NVIDIA H100: 8 blocks of 8 warps on a multiprocessor",
    ]


def test_less_has_one() -> None:
    some = {"blocks": 1, "warps": 1, "share": 1 / 64, "limited_by": ["registers", "shared memory"]}
    assert lines(taken(occupancy=some))[1] == (
        "occupancy 1.6% on NVIDIA H100: 1 block of 1 warp on a multiprocessor, "
        "limited by registers and shared memory"
    )


def test_a_launch_that_is_impossible_says_why() -> None:
    none = {"blocks": 0, "warps": 0, "share": 0.0, "limited_by": ["shared memory"]}
    assert lines(taken(occupancy=none))[1] == (
        "NVIDIA H100 cannot run it: a block needs more shared memory than there is"
    )


def test_spills_and_the_stack_are_named() -> None:
    text = lines(taken(stack_bytes=48, spill_store_bytes=8, spill_load_bytes=1200))[0]
    assert text == (
        "32 registers per thread, 48 bytes of stack, "
        "registers spilled: stores of 8 bytes, loads of 1,200"
    )


def test_several_instances_have_their_names() -> None:
    found = lines(taken(), taken(kernel="tile<128>"))
    assert [one.partition(":")[0] for one in found] == ["tile<64>"] * 2 + ["tile<128>"] * 2


def test_a_launch_without_resources_says_nothing() -> None:
    assert lines() == []
    assert list(resource_lines({}, "NVIDIA H100")) == []


def test_the_note_says_what_is_missing_or_close() -> None:
    gpu = {"name": "Tesla K20", "compute_capability": "3.5"}
    assert note({"gpu": gpu, "compute_capability": None, "missing": "nvcc"}) == (
        "Registers and occupancy need nvcc."
    )
    assert note({"gpu": gpu, "compute_capability": "7.5", "missing": None}) == (
        "nvcc does not compile for compute capability 3.5; registers are those for 7.5."
    )
    assert note({"gpu": gpu, "compute_capability": "3.5", "missing": None}) is None


def test_a_loop_shows_each_source_line_before_its_instructions() -> None:
    instructions = [
        {"line": 7, "source": "sum += tile[i];", "text": "LDS R1, [R2]"},
        {"line": 7, "source": "sum += tile[i];", "text": "FADD R3, R3, R1"},
        {"line": None, "source": None, "text": "BRA `(.L_x_1)"},
    ]
    pipes = {"LSU": 1, "FMA": 1, "CBU": 1}
    output = io.StringIO()
    show_loops(
        Console(file=output, width=80),
        [{"function": "tile<64>", "by_pipe": pipes, "instructions": instructions}],
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

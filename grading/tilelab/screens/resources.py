"""Prints what nvcc made of kernels: their resources, their occupancy and their loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from tilelab.model.profile import Launch, Loop, MachineCode, Room, Taken


def resource_lines(launch: Launch, gpu: str) -> Iterator[str]:
    """What the kernel of a launch takes, a line or two for each kernel that it may be."""
    resources = launch.resources or ()
    several = len(resources) > 1
    for one in resources:
        begin = f"{one.kernel}: " if several else ""
        yield from (begin + line for line in taken_lines(one, gpu))


def taken_lines(one: Taken, gpu: str) -> Iterator[str]:
    """What a kernel takes, and the occupancy that follows."""
    yield _taken(one)
    yield _room(one.occupancy, gpu)


def _taken(one: Taken) -> str:
    parts = [f"{one.registers} registers per thread"]
    if one.stack_bytes:
        parts.append(f"{one.stack_bytes:,} bytes of stack")
    if one.spill_store_bytes or one.spill_load_bytes:
        stores, loads = one.spill_store_bytes, one.spill_load_bytes
        parts.append(f"registers spilled: stores of {stores:,} bytes, loads of {loads:,}")
    return ", ".join(parts)


def _room(occupancy: Room, gpu: str) -> str:
    limiters = " and ".join(occupancy.limited_by)
    if occupancy.blocks == 0:
        return f"{gpu} cannot run it: a block needs more {limiters} than there is"
    blocks, warps = occupancy.blocks, occupancy.warps
    share = f"{100 * occupancy.share:.1f}".removesuffix(".0")
    text = f"occupancy {share}% on {gpu}: {_many(blocks, 'block')}"
    text += f" of {_many(warps // blocks, 'warp')} on a multiprocessor"
    return text if occupancy.share == 1 else f"{text}, limited by {limiters}"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def note(nvcc: MachineCode) -> str | None:
    """What a reader must know about the resources: that there are none, or that they are close."""
    if nvcc.missing:
        return f"Registers and occupancy need {nvcc.missing}."
    wanted = nvcc.gpu.compute_capability
    if nvcc.compute_capability != wanted:
        return (
            f"nvcc does not compile for compute capability {wanted}; "
            f"registers are those for {nvcc.compute_capability}."
        )
    return None


def show_loops(console: Console, loops: Iterable[Loop]) -> None:
    """Prints the machine code of the innermost loops, each source line before its instructions."""
    for loop in loops:
        instructions = loop.instructions
        pipes = ", ".join(f"{count} {pipe}" for pipe, count in loop.by_pipe.items())
        console.print()
        console.print(f"[bold]{escape(loop.function)}[/], a loop of {len(instructions)} slots")
        console.print(f"by pipe: {pipes}")
        line = None
        for one in instructions:
            if one.line != line:
                line = one.line
                console.print(Text(f"{line or '':>5}  {one.source or ''}", style="dim"))
            console.print(Text(f"       {one.text}"))

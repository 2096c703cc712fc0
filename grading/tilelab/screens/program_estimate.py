"""Prints how long the launches of a program would take on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from tilelab.model.profile import Launch
from tilelab.model.program_estimate import EstimatedLaunch, EstimatedProgram, WaitedLine
from tilelab.screens.estimate import NOT_COMPARED, time
from tilelab.screens.profile import size
from tilelab.screens.resources import taken_lines

_MOST_LINES = 3
_LEAST_WAIT = 0.1

_MADE_UP = (
    "Made-up data: the program's arrays are too large to be kept, so an estimate that depends on "
    "what they hold is left out."
)
_RECORDED = "Each launch was estimated with the data that it had in this run."
_MANAGED = "Moving managed memory to the GPU takes time, which is not in the estimates."
_DIFFER = "with other arguments; the estimate is for the first"


def show_estimates(console: Console, estimated: EstimatedProgram) -> None:
    """Prints the estimate of each launch, or why there is none."""
    for one in estimated.launches:
        console.print(f"[bold]{escape(_heading(one))}[/]")
        for line in _lines(one, estimated.gpu):
            console.print(escape(line))
    show_conclusion(console, estimated)


def show_conclusion(console: Console, estimated: EstimatedProgram) -> None:
    """Prints what all estimates have in common."""
    for line in _conclusion(estimated):
        console.print(escape(line), style="dim")


def lines_of(launch: Launch, estimated: EstimatedProgram) -> Iterator[str]:
    """What is estimated of a launch whose accesses were counted."""
    shape = launch.kernel, launch.grid, launch.block, launch.dynamic_shared_bytes
    for one in estimated.launches:
        if shape == (one.kernel, one.grid, one.block, one.dynamic_shared_bytes):
            yield from _lines(one, estimated.gpu)


def _heading(one: EstimatedLaunch) -> str:
    text = f"{one.kernel}<<<{size(one.grid)}, {size(one.block)}"
    text += f", {one.dynamic_shared_bytes}>>>" if one.dynamic_shared_bytes else ">>>"
    if one.launches > 1:
        text += f", {one.launches:,} launches"
    return f"{text}, {_DIFFER}" if one.differ else text


def _lines(one: EstimatedLaunch, gpu: str) -> Iterator[str]:
    milliseconds, least, most = one.milliseconds, one.least, one.most
    if milliseconds is None or least is None or most is None:
        yield f"No time can be estimated on an {gpu}: {one.missing}."
    else:
        each = " each" if one.launches > 1 else ""
        yield (
            f"ESTIMATED on an {gpu}: {time(milliseconds)}{each}, nine times in ten between "
            f"{time(least)} and {time(most)}."
        )
        yield f"Limited by {one.limiter}."
        yield from _waits(one)
    if one.taken is not None:
        yield from taken_lines(one.taken, gpu)
    yield from _what_if(one)


def _waits(one: EstimatedLaunch) -> Iterator[str]:
    """The lines that warps wait for most, and those of atomics that limit the launch."""
    if one.limiter.startswith("atomics"):
        for line in sorted(one.lines, key=lambda it: -it.atomics)[:_MOST_LINES]:
            if line.atomics:
                yield f"{_percent(line.atomics)} of the atomics' turns: {_place(line)}"
    for line in one.lines[:_MOST_LINES]:
        if line.waits >= _LEAST_WAIT:
            yield f"{_percent(line.waits)} of what warps wait for: {_place(line)}"


def _place(line: WaitedLine) -> str:
    return f"{Path(line.file).name}:{line.line} `{line.text}`"


def _what_if(one: EstimatedLaunch) -> Iterator[str]:
    if (found := one.what_if) is not None:
        needs = "less shared memory" if found.resource == "shared memory" else "fewer registers"
        yield (
            f"What if a block took {needs}, so that {found.blocks} were there at once? "
            f"About {time(found.milliseconds)}."
        )
    if one.other_blocks:
        sizes = ", ".join(f"{_percent(it.share)} with {it.threads}" for it in one.other_blocks)
        yield f"Occupancy with other numbers of threads in a block: {sizes}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _conclusion(estimated: EstimatedProgram) -> Iterator[str]:
    launches = estimated.launches
    if not launches:
        yield "The program launched no kernel, so there is nothing to estimate."
        return
    if estimated.left_out:
        yield (
            f"{estimated.left_out:,} more launches are left out: the program has more than "
            f"{len(launches)} different ones."
        )
    yield _MADE_UP if any(one.is_made_up for one in launches) else _RECORDED
    if any(one.is_managed for one in launches):
        yield _MANAGED
    if not estimated.compared:
        yield NOT_COMPARED

"""Prints what `tilelab profile` found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tilelab.backends import BACKENDS
from tilelab.backends.profiler import Profiler
from tilelab.model.profile import Call, Counts, Launch, Profile, Remark, Triple
from tilelab.screens import estimate, resources
from tilelab.screens.layout import say

_HOTTEST = 8
_CONFLICTS = ("bank_conflicts", "merged")
_SUMMED = ("thread_accesses", "bytes", *_CONFLICTS)
_NAMES = {
    "requests": "requests",
    "sectors": "sectors",
    "sectors_per_request": "sectors per request",
    "wavefronts": "wavefronts",
    "bank_conflicts": "bank conflicts",
    "bytes_requested": "bytes requested",
}
_SHOWN = {
    "global_loads": ("requests", "sectors", "sectors_per_request", "bytes_requested"),
    "global_stores": ("requests", "sectors", "sectors_per_request", "bytes_requested"),
    "global_atomics": ("requests", "bytes_requested"),
    "shared_loads": ("requests", "wavefronts", "bank_conflicts"),
    "shared_stores": ("requests", "wavefronts", "bank_conflicts"),
    "shared_atomics": ("requests", "wavefronts"),
    "constant_loads": ("requests",),
    # No local memory: a GPU may hold in registers what a CPU keeps on its stack.
}


_Column = tuple[str, Sequence[str]]  # a heading, and the kinds of access that are counted
# Of a line.
_COLUMNS: Sequence[_Column] = (
    ("gl. loads", ("global_loads",)),
    ("stores", ("global_stores",)),
    ("sh. loads", ("shared_loads",)),
    ("stores", ("shared_stores",)),
    ("atomics", ("global_atomics", "shared_atomics")),
)

_MERGED = (
    "From ... to: threads read or write neighbors in shared memory one after the other. nvcc "
    "decides how many of them one instruction of 8 or 16 bytes takes."
)

_Sums = dict[str, dict[str, int]]  # of each count, by kind of access
Hardware = tuple[str, Profiler]  # the GPU's name, and the profiler that reads its counters


def show_profile(console: Console, result: Profile, profiler: Profiler | None) -> None:
    """Prints, for each launch, a table of counts and a table of its hottest lines.

    `profiler` is the one that counted on the GPU, None if none did.
    """
    hardware = (str(result.machine.gpu), profiler) if profiler else None
    nvcc = result.nvcc
    for call in result.calls:
        console.print(f"[bold]{escape(call.call)}[/]")
        console.print(escape(_loads_per_element(call)))
        show_launches(
            console,
            call.launches,
            hardware,
            lambda launch: resources.resource_lines(launch, nvcc.gpu.name),
        )
    for line in estimate.lines(result.estimate):
        say(console, line)
    resources.show_loops(console, nvcc.loops)
    if said := resources.note(nvcc):
        say(console, said, style="dim")
    if hardware is None:
        say(console, f"Counted by the checked build. {_more()}", style="dim")


def show_launches(
    console: Console,
    launches: Sequence[Launch],
    hardware: Hardware | None,
    said: Callable[[Launch], Iterable[str]] = lambda _: (),
) -> None:
    """Prints the two tables of each launch, and before them what else is `said` of it."""
    for launch in launches:
        console.print(escape(_heading(launch)))
        for line in said(launch):
            console.print(escape(line))
        console.print(_counts(launch, hardware))
        console.print(_lines(launch))
        for remark in launch.remarks:
            say(console, _remark(remark))
    if any(_is_merged(counts) for one in launches for counts in one.totals.values()):
        say(console, _MERGED, style="dim")


def _remark(one: Remark) -> str:
    place = f"{one.file}:{one.line}: " if one.line else ""
    return f"Remark: {place}{one.text}."


def _more() -> str:
    able = [f"{one.gpu} and {one.profiler.name}" for one in BACKENDS if one.profiler]
    return f"With {' or '.join(able)}, the GPU's own counts appear as well."


def _loads_per_element(call: Call) -> str:
    requested = sum(
        launch.totals["global_loads"].bytes_requested
        * (launch.blocks / launch.observed_blocks if launch.observed_blocks else 1)
        for launch in call.launches
        if "global_loads" in launch.totals
    )
    if not call.input_bytes:
        return "no input"
    return f"{requested / call.input_bytes:.2f} global loads per element"


def _heading(launch: Launch) -> str:
    text = f"{launch.kernel}<<<{size(launch.grid)}, {size(launch.block)}>>>"
    if launch.launches != 1:
        text += f", {launch.launches:,} launches"
    if launch.shared_bytes:
        text += f", {launch.shared_bytes} bytes of shared memory per block"
    if launch.observed_blocks != launch.blocks:
        text += f"; observed: {launch.observed_blocks} of {launch.blocks} blocks"
    return text


def size(triple: Triple) -> str:
    """The size of a grid or block, without dimensions of 1 at its end."""
    x, y, z = triple
    return f"{x}" if y == z == 1 else f"{x} x {y}" if z == 1 else f"{x} x {y} x {z}"


def _counts(launch: Launch, hardware: Hardware | None) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("")
    table.add_column("checked build", justify="right")
    if hardware:
        table.add_column(hardware[0], justify="right")
    for kind, names in _SHOWN.items():
        counts = launch.totals.get(kind)
        if counts is None:
            continue
        for name in names:
            row = [f"{kind.replace('_', ' ')}: {_NAMES[name]}", _value(counts, name)]
            if hardware:
                counted = launch.hardware or {}
                row.append(_hardware_value(counted, hardware[1].metrics, kind, name))
            table.add_row(*row)
    return table


def _value(counts: Counts, name: str) -> str:
    if name == "sectors_per_request":
        return f"{counts.sectors / counts.requests:.2f}" if counts.requests else "-"
    return _range(getattr(counts, name), _merged(counts, name))


def _merged(counts: Counts, name: str) -> int:
    """The count with neighbors merged. Most kinds of access have no other than the plain one."""
    merged: int | None = getattr(counts, f"merged_{name}", None)
    return int(getattr(counts, name)) if merged is None else merged


def _range(one: int, other: int) -> str:
    low, high = sorted((one, other))
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _is_merged(counts: Counts) -> bool:
    """Whether nvcc may use fewer instructions than the source has accesses."""
    return _merged(counts, "requests") != counts.requests


def _hardware_value(
    counts: Mapping[str, int], metrics: Mapping[tuple[str, str], str], kind: str, name: str
) -> str:
    def count(which: str) -> int | None:
        return counts.get(metrics.get((kind, which), ""))

    if name == "sectors_per_request":
        sectors, requests = count("sectors"), count("requests")
        return f"{sectors / requests:.2f}" if sectors is not None and requests else ""
    value = count(name)
    return "" if value is None else f"{value:,}"


def _lines(launch: Launch) -> Table:
    """The lines that request the most bytes, from any memory."""
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("line", no_wrap=True)
    table.add_column("")
    columns = _columns(launch)
    for heading in (*(heading for heading, _ in columns), "conflicts"):
        table.add_column(heading, justify="right", no_wrap=True)
    by_line: dict[tuple[str, int, str], _Sums] = {}
    for line in launch.lines:
        # Some lines of our own headers have local memory alone.
        shown = {kind: counts for kind, counts in line.counts.items() if kind in _SHOWN}
        if not shown:
            continue
        sums = by_line.setdefault((line.file, line.line, line.text), {})
        for kind, counts in shown.items():
            of_kind = sums.setdefault(kind, dict.fromkeys(_SUMMED, 0))
            of_kind["thread_accesses"] += counts.thread_accesses
            of_kind["bank_conflicts"] += counts.bank_conflicts
            of_kind["merged"] += _merged(counts, "bank_conflicts")
            of_kind["bytes"] += counts.bytes_requested

    def weight(sums: _Sums) -> int:
        return sum(kind["bytes"] for kind in sums.values())

    hottest = sorted(by_line.items(), key=lambda item: -weight(item[1]))[:_HOTTEST]
    files = {file for file, _, _ in by_line}
    for (file, number, text), sums in sorted(hottest):
        cells = [_cell(sums, kinds, "thread_accesses") for _, kinds in columns]
        conflicts = _range(*(sum(kind[which] for kind in sums.values()) for which in _CONFLICTS))
        place = f"{number}" if len(files) == 1 else f"{file}:{number}"
        table.add_row(escape(place), escape(text), *cells, conflicts)
    return table


def _columns(launch: Launch) -> Sequence[_Column]:
    """The columns of a table of lines. Those without a count make room for atomics, which are
    rare."""
    with_counts = [one for one in _COLUMNS if any(kind in launch.totals for kind in one[1])]
    return with_counts if _COLUMNS[-1] in with_counts else _COLUMNS[:-1]


def _cell(sums: _Sums, kinds: Sequence[str], name: str) -> str:
    found = [sums[kind][name] for kind in kinds if kind in sums]
    return f"{sum(found):,}" if found else ""

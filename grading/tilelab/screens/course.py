"""Prints where a student is in the course."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tilelab.base.text import points
from tilelab.tutor import standing
from tilelab.tutor.standing import Standing

_WIDTH = 80

_OUTCOME = {
    "unchecked": "[dim]not checked yet[/]",
    "unbuilt": "[red]does not compile[/]",
    "failed": "[yellow]in progress[/]",
    "slow": "[green]right[/], could be faster",
    "passed": "[green]done[/]",
}


def show_course(console: Console, standings: Sequence[Standing]) -> None:
    """Prints a row per lab, and what to do next."""
    now = standing.current(standings)
    console.print("[bold]TileLab[/], a course in GPU shared memory. Your labs:\n")
    console.print(_table(standings, now))
    console.print()
    for line in _next(now):
        console.print(line)


def _table(standings: Sequence[Standing], now: Standing | None) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("Lab")
    table.add_column("Tasks", justify="right")
    table.add_column("Points", justify="right")
    table.add_column("Last check")
    for number, one in enumerate(standings, 1):
        style = "bold" if one is now else ""
        table.add_row(
            f"{'>' if one is now else ' '} {number}",
            one.lab.name,
            f"{one.state.done} of {len(one.lab.tasks)}" if one.lab.tasks else "",
            _points(one),
            _last_check(one),
            style=style,
        )
    return table


def _points(one: Standing) -> str:
    if not one.state.points:
        return ""
    waiting = one.lab.max_points - one.possible
    more = f" (+{points(waiting)} not run)" if waiting else ""
    return f"{points(one.earned)} / {points(one.possible)}{more}"


def _last_check(one: Standing) -> str:
    if one.state.outcome == "failed" and one.task:
        return f"[yellow]TODO {one.task.number}[/]"
    return _OUTCOME[one.state.outcome]


def _next(now: Standing | None) -> list[str]:
    if now is None:
        return ["You have passed every lab that runs here. Well done."]
    name = now.lab.name
    if now.state.outcome == "unchecked":
        what = f"start {name}: read labs/{name}/README.md, then edit labs/{name}/{name}.cu"
    elif now.state.outcome == "unbuilt":
        what = f"make {name} compile"
    elif now.task:
        what = f"TODO {now.task.number} of {name}, {now.task.title}"
    else:
        what = f"fix what the last check of {name} found"
    return [
        *_wrapped(f"Next: {what}."),
        "",
        *_command(f"./tilelab watch {name}", "checks your file each time you save it"),
        *_command(f"./tilelab hint {name}", "gives a hint"),
        *_command("./tilelab -h", "lists all commands"),
    ]


def _command(words: str, does: str) -> list[str]:
    line = f"  {words:<34} {does}"
    return [line] if len(line) <= _WIDTH else [f"  {words}", f"{'':<36} {does}"]


def _wrapped(text: str) -> list[str]:
    lines = [escape(line) for line in textwrap.wrap(text, _WIDTH, break_on_hyphens=False)]
    return [lines[0].replace("Next:", "[bold]Next:[/]"), *lines[1:]]

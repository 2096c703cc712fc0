"""Prints what `check` and `grade` found."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tilelab.base.text import points
from tilelab.score.lab import Lab
from tilelab.score.records import Result

VERDICT = {
    "graded": "",
    "rejected": "[red]rejected[/]",
    "compile_error": "[red]does not compile[/]",
    "missing": "[red]missing[/]",
    "infra_error": "[magenta]not graded[/]",
}


def show_machine(console: Console, machine: dict[str, str | None]) -> None:
    """Prints one line about this machine, and what is missing of nvcc and the sandbox."""
    words = [machine["backend"], machine["compiler"], machine["gpu"] or "no GPU"]
    words += [machine["referee"] or "no nvcc", machine["sandbox"]]
    console.print(escape(" · ".join(word or "" for word in words)), style="dim")
    if machine["referee"] is None:
        console.print(
            "There is no nvcc here, so files compile that nvcc would refuse. `./tilelab doctor` "
            "says why.",
            style="dim",
        )
    if machine["sandbox"] == "unsandboxed":
        console.print(
            "Warning: no sandbox. Submissions are compiled and run with your permissions, because "
            "bubblewrap is not installed or may not create namespaces. `./tilelab doctor` says "
            "which.",
            style="bold yellow",
        )


def score_text(result: Result) -> str:
    """Formats a score as '60 / 60 (+40 not run)'. What did not run is neither lost nor earned."""
    waiting = _not_run_points(result)
    return f"{_cell(result)} (+{points(waiting)} not run)" if waiting else _cell(result)


def show_class(console: Console, labs: Sequence[Lab], results: Sequence[Result]) -> None:
    """Prints a row per student with a column per lab, then a line about each result."""
    by_student: dict[str, dict[str, Result]] = {}
    for result in results:
        by_student.setdefault(result.student, {})[result.lab] = result
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("Student")
    for lab in labs:
        table.add_column(lab.name, justify="right")
    for student, by_lab in by_student.items():
        cells = [_cell(by_lab[lab.name]) if lab.name in by_lab else "" for lab in labs]
        table.add_row(escape(student), *cells)
    console.print(table)
    console.print(_notes(results))
    if waiting := sorted({c.name for r in results for c in r.criteria if c.status == "not_run"}):
        console.print(f"Not run here, so neither lost nor earned: {', '.join(waiting)}.")
    if doubtful := [r for r in results if any(c.status == "review" for c in r.criteria)]:
        names = ", ".join(f"{result.student}/{result.lab}" for result in doubtful)
        console.print(
            escape(f"REVIEW: read {names}. To count their points, grade with --release NAME."),
            style="bold yellow",
        )


def _cell(result: Result) -> str:
    if result.verdict == "missing":
        return "missing"
    if result.score is None:
        return "not graded"
    return f"{points(result.score)} / {points(result.max - _not_run_points(result))}"


def _not_run_points(result: Result) -> float:
    return sum(c.max for c in result.criteria if c.status == "not_run")


def _notes(results: Sequence[Result]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for result in results:
        if result.verdict != "missing" and (note := _note(result)):
            table.add_row(escape(result.student), result.lab, note)
    return table


def _note(result: Result) -> str:
    """The most important thing to know about a result, on one line."""
    verdict = VERDICT[result.verdict]
    imperfect = [c for c in result.criteria if c.falls_short]
    messages = result.messages + [message for c in imperfect for message in c.messages]
    if not messages:
        return verdict
    # The table has room for the start of the reason. results.json has all of it.
    first = messages[0].replace("\n", " ")
    text = escape(first if len(first) <= 100 else f"{first[:99]}…")
    return f"{verdict}: {text}" if verdict else text

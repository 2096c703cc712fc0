"""Prints what `check` and `grade` found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tilelab.base.text import counted, listed, points
from tilelab.model.grade import Attainable, Grade
from tilelab.model.lab import Lab
from tilelab.model.result import ESTIMATED, Result

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
            "Checked without nvcc, which may reject files that compile here. `./tilelab doctor` "
            "says why there is none.",
            style="dim",
        )
    if machine["sandbox"] == "unsandboxed":
        console.print(
            "Warning: no sandbox. Submissions are compiled and run with your permissions, because "
            "bubblewrap is not installed or may not create namespaces. `./tilelab doctor` says "
            "which.",
            style="bold yellow",
        )
    if machine["system call filter"] is None:
        console.print(
            "Warning: this system cannot filter system calls (seccomp), so a submission can reach "
            "your other programs. Run only code that you trust.",
            style="bold yellow",
        )


def show_missing_estimates(console: Console, labs: Sequence[Lab], lacking: str) -> None:
    """Warns of labs whose estimated times give points, where nothing can be estimated."""
    configured = [lab.name for lab in labs if any(one.estimated for one in lab.criteria)]
    if configured:
        console.print(
            f"Warning: {', '.join(configured)}: lab.toml gives points for estimated times, and "
            f"without a GPU nobody gets them here. That needs {lacking}.",
            style="bold yellow",
            markup=False,
        )


def show_mixed(console: Console, grades: Iterable[Grade]) -> None:
    """Warns of labs with points that were estimated for some files and not run for others."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for grade in grades:
        for one in grade.result.criteria:
            counts[grade.result.lab, one.name][one.status] += 1
    for (lab, name), of in counts.items():
        if of["estimated"] and of["not_run"]:
            console.print(
                f"Warning: {lab}: {name} is {ESTIMATED} for {counted(of['estimated'], 'file')}, "
                f"and NOT RUN for {of['not_run']}, so they are out of different points.",
                style="bold yellow",
                markup=False,
            )


def score_text(result: Result) -> str:
    """Formats a score as '60 / 60 (+40 not run)'. What did not run is neither lost nor earned."""
    waiting = _not_run_points(result)
    shown = _cell(result, result.max - waiting)
    if waiting:
        return f"{shown} (+{points(waiting)} not run)"
    guessed = sum(one.points for one in result.criteria if one.status == "estimated")
    return f"{shown} ({points(guessed)} of them {ESTIMATED})" if guessed else shown


def show_class(console: Console, labs: Sequence[Lab], grades: Sequence[Grade]) -> None:
    """Prints a row per student with a column per lab, then a line about each grade."""
    by_student: dict[str, dict[str, Grade]] = {}
    attainable = {lab.name: Attainable() for lab in labs}
    for grade in grades:
        attainable[grade.result.lab].take(grade)
        by_student.setdefault(grade.result.student, {})[grade.result.lab] = grade
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("Student")
    for lab in labs:
        table.add_column(lab.name, justify="right")
    for student, by_lab in by_student.items():
        cells = [
            _grade_cell(by_lab[lab.name], attainable[lab.name].most) if lab.name in by_lab else ""
            for lab in labs
        ]
        table.add_row(escape(student), *cells)
    console.print(table)
    console.print(_notes(grades))
    criteria = [(grade, one) for grade in grades for one in grade.result.criteria]
    if waiting := sorted({one.name for _, one in criteria if one.status == "not_run"}):
        console.print(f"Not run here, so neither lost nor earned: {', '.join(waiting)}.")
    if estimated := sorted({one.name for grade in grades for one in grade.estimated}):
        console.print(
            f"~ has points that are {ESTIMATED}, not measured, for {', '.join(estimated)}. A GPU's "
            "verdict replaces them."
        )
    if doubtful := [grade.result for grade, one in criteria if one.status == "review"]:
        names = listed(f"{result.student}/{result.lab}" for result in doubtful)
        console.print(
            escape(f"REVIEW: read {names}. To count their points, grade with --release NAME."),
            style="bold yellow",
        )


def _grade_cell(grade: Grade, attainable: float) -> str:
    """The points that count; with marks if lateness or a person changed them, or an estimate.

    What no test has seen is out of the points that were `attainable` in this lab.
    """
    mark = "~" if grade.estimated else ""
    most = grade.most if grade.result.verdict == "graded" else attainable
    if grade.score == grade.result.score:
        return f"{mark}{_cell(grade.result, most)}"
    score = "not graded" if grade.score is None else points(grade.score)
    return f"{mark}{score}* / {points(most)}"


def _cell(result: Result, most: float) -> str:
    if result.verdict == "missing":
        return "missing"
    if result.score is None:
        return "not graded"
    return f"{points(result.score)} / {points(most)}"


def _not_run_points(result: Result) -> float:
    return sum(c.max for c in result.criteria if c.status == "not_run")


def _notes(grades: Sequence[Grade]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for grade in grades:
        result = grade.result
        notes = [*_changes(grade), _note(result) if result.verdict != "missing" else ""]
        for note in filter(None, notes):
            table.add_row(escape(result.student), result.lab, note)
    return table


def _changes(grade: Grade) -> Iterator[str]:
    """What lateness and a person did to the points."""
    if grade.lost_share:
        lost = f"{points(100 * grade.lost_share)}% of the points are lost"
        yield f"* {counted(grade.days_late, 'day')} late: {lost}"
    if grade.adjustment:
        yield f"* {grade.adjustment.points:+g} points by hand: {escape(grade.adjustment.comment)}"
    if given := [one.points for one in grade.remarks if one.points]:
        yield f"* {sum(given):+g} points by {counted(len(given), 'comment')}"


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

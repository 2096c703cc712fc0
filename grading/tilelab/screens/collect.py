"""Prints what collecting a class found."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from tilelab.base.text import counted, one_line
from tilelab.collect.questions import Question
from tilelab.collect.report import Report
from tilelab.collect.writing import Changes
from tilelab.screens.layout import wrapped

_WIDTH = 80


def show_collected(console: Console, report: Report, changes: Changes) -> None:
    """Prints what needs a look, and below the files per lab. Each list is complete."""
    width = min(_WIDTH, console.width)
    for title, lines in _lists(report).items():
        if lines:
            console.print(f"{title} ({len(lines)})", style="bold", markup=False)
            for line in lines:
                for part in wrapped(one_line(line), width, first="  ", rest="    "):
                    console.print(part)
    show_questions(console, report.questions)
    if report.timeless:
        console.print(
            f"Counted as in time, for lack of a time: {counted(report.timeless, 'file')}. "
            "[submitted] in course.toml can tell it.",
            style="yellow",
            markup=False,
        )
    table = Table(box=None, pad_edge=False)
    table.add_column("lab")
    for title in ("files", "missing", "late"):
        table.add_column(title, justify="right")
    for lab in report.labs:
        counts = (report.files[lab], report.missing_files[lab], len(report.late[lab]))
        table.add_row(lab, *map(str, counts))
    console.print(table)
    unchanged = len(changes.unchanged) + len(changes.kept)
    console.print(
        f"{counted(report.students, 'student')}. Files: {len(changes.added)} new, "
        f"{len(changes.updated)} replaced, {unchanged} as they were."
    )


def show_questions(console: Console, questions: Sequence[Question]) -> None:
    """Prints each question, and below it the options that answer it, which a shell takes."""
    if not questions:
        return
    width = min(_WIDTH, console.width)
    console.print(f"Questions ({len(questions)})", style="bold")
    for question in questions:
        for part in wrapped(one_line(question.line), width, first="  ", rest="    "):
            console.print(part)
        for option in question.answers:
            console.print(f"      {option}", markup=False)
    if any(option.startswith("--") for question in questions for option in question.answers):
        console.print("  Add the right lines to the command. The class remembers them.")


def _lists(report: Report) -> dict[str, list[str]]:
    """What needs a look, under its title."""
    return {
        "Late": [line for lines in report.late.values() for line in lines],
        "Marked late by Canvas, which does not say when": report.marked_late,
        "Replaced": report.replaced,
        "Missing": report.missing,
        "Unchanged skeletons": report.skeletons,
        "Not in the roster": report.strangers,
        "Taken for a lab under another name": report.guessed,
        "Not sure": report.unsure,
        "Students ask about grades": report.asked,
        "Refused": report.refused,
        "Roster": report.roster_remarks,
    }

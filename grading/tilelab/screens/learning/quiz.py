"""What the quiz says on a terminal, within 80 columns."""

from __future__ import annotations

from rich.console import Console

from tilelab.screens.layout import say
from tilelab.tutor.numbers import written
from tilelab.tutor.quiz import Question


def show_again(console: Console, count: int, since: str) -> None:
    """Says that questions come again."""
    questions = "question" if count == 1 else "questions"
    say(console, f"{count} {questions} {since} first.")


def show_own(console: Console, call: str, note: str) -> None:
    """Says that questions about the student's kernel follow, and for which call."""
    console.print()
    say(console, f"Now your own kernel, in {call}. {note}", style="bold")


def show_no_questions(console: Console, name: str) -> None:
    console.print()
    say(console, f"No questions about {name}: not all of its accesses could be drawn.")


def show_question(console: Console, question: Question, number: str) -> None:
    console.print()
    say(console, f"{number}. {question.ask}", style="bold")


def show_misconception(console: Console, question: Question, given: float) -> None:
    """Says what led to a wrong answer, as far as that is known, and not what is right."""
    why = question.misconception(given) or "Work it out on paper once more."
    say(console, f"Not {written(given)}. {why} Try again.", style="yellow")


def show_answer(console: Console, question: Question, is_right: bool) -> None:
    verdict = "Correct." if is_right else f"No, it is {written(question.answer)}."
    say(console, verdict, style="green" if is_right else "red")
    say(console, question.why)


def show_score(console: Console, before: str, right: int, answered: int, later: int) -> None:
    """How many answers were right, and how many more at the second try."""
    more = f", and {later} more at the second try" if later else ""
    say(console, f"{before}{right} of {answered} correct{more}.")

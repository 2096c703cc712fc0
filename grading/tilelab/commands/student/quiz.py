"""`tilelab quiz`: asks the handout's questions on a terminal."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import CompileError, InfraError, Rejected, UserError
from tilelab.base.repository import IS_COURSE
from tilelab.commands import options
from tilelab.commands.console import console, working
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.picture import run
from tilelab.pipeline.harness.session import Session
from tilelab.screens.learning import quiz as screen
from tilelab.tutor import progress, recall
from tilelab.tutor.numbers import number_from
from tilelab.tutor.quiz import Question, load
from tilelab.viva import own_questions

_BLOCK = 32  # a warp
_SIZE = 40

# Hears whether the first answer was right.
_Note = Callable[[bool], None]


def quiz(
    lab_name: options.LabOrNone = None,
    file: Annotated[
        Path | None,
        typer.Argument(help="Also ask about this file. Default: the one that passed last."),
    ] = None,
) -> None:
    """Asks the handout's questions, and some about your own kernel."""
    if not IS_COURSE:
        raise UserError(lab.NO_COURSE)
    now = datetime.datetime.now(datetime.UTC)
    the_lab = lab.load(lab_name) if lab_name else None
    questions = load(the_lab) if the_lab else []
    if sys.stdin is None or sys.stdin.closed:
        raise UserError("the quiz needs your answers, and there is no input: run it in a terminal")
    again = recall.due(now)
    if the_lab is None and not again:
        console.print(
            "Nothing to ask again today. A quiz for each lab: ./tilelab quiz LAB", markup=False
        )
        return
    asked = _Asked()
    if again:
        screen.show_again(console, len(again), recall.since(again, now))
    for one in again:
        asked.add(one.question, _noting(one.lab, one.question, now))
    if the_lab is not None:
        known = {one.question for one in again}
        for question in questions:
            if question not in known:
                asked.add(question, _noting(the_lab, question, now))
        path = file or (_passed(the_lab) if sys.stdin.isatty() else None)
        if path is not None:
            asked.about = lambda: _own(the_lab, options.existing(path), is_asked=file is not None)
    raise typer.Exit(asked.ask_all())


def _noting(the_lab: Lab, question: Question, now: datetime.datetime) -> _Note:
    return lambda is_right: recall.note(the_lab, question, is_right, now)


def _passed(the_lab: Lab) -> Path | None:
    """The file that passed last, if it is there."""
    state = progress.load(the_lab.name)
    path = Path(state.file)
    return path if state.is_right and state.file and path.is_file() else None


def _own(the_lab: Lab, path: Path, *, is_asked: bool) -> Sequence[Question]:
    """Questions about a file. If nobody asked for them, a file that cannot be drawn has none."""
    try:
        session = options.session(None, None, [the_lab], without_seccomp=True)
        with working("Running your kernel on a small input"):
            picture = _drawn(path, the_lab, session)
    except (Rejected, CompileError, UserError, InfraError, OSError) as error:
        if is_asked:
            raise UserError(f"{path}: {error}") from error
        return ()
    own = picture.own
    questions = own_questions.about(own.calls, own.text, own.shared)
    if questions:
        screen.show_own(console, own.calls[0].call, own.note)
    elif is_asked:
        screen.show_no_questions(console, path.name)
    return questions


def _drawn(path: Path, the_lab: Lab, session: Session) -> run.Picture:
    """What the kernel does with more than one warp, or with the lab's usual size."""
    try:
        return run.draw(path, the_lab, session, _SIZE, _BLOCK)
    except UserError:  # the lab draws only smaller ones
        return run.draw(path, the_lab, session, None, _BLOCK)


def _nobody(is_right: bool) -> None:
    """Questions about a kernel do not come again: it will have changed."""


@dataclass
class _Score:
    """How many questions were answered, right at once, and right at the second try."""

    answered: int = 0
    right: int = 0
    later: int = 0


class _Asked:
    """The questions of a quiz."""

    def __init__(self) -> None:
        self._questions: list[tuple[Question, _Note]] = []
        self._score = _Score()
        self.about: Callable[[], Sequence[Question]] = tuple  # the questions about a kernel

    def add(self, question: Question, note: _Note) -> None:
        self._questions.append((question, note))

    def ask_all(self) -> int:
        """Asks them and shows the score. Returns the exit status, 1 if the user stopped."""
        try:
            self._ask(self._questions, "")
            if own := self.about():
                self._ask([(one, _nobody) for one in own], " about your kernel")
        except typer.Abort:  # Ctrl-D, Ctrl-C, the end of a file
            console.print()
            score = self._score
            if not score.answered and not sys.stdin.isatty():
                raise UserError(
                    "the quiz needs your answers, and the input is empty: run it in a terminal"
                ) from None
            screen.show_score(console, "Stopped: ", score.right, score.answered, score.later)
            return 1
        console.print()
        score = self._score
        screen.show_score(console, "", score.right, score.answered, score.later)
        return 0

    def _ask(self, questions: Sequence[tuple[Question, _Note]], kind: str) -> None:
        for number, (question, note) in enumerate(questions, 1):
            screen.show_question(console, question, f"{number} of {len(questions)}{kind}")
            given = _answer()
            if given is None:
                continue
            is_right = question.accepts(given)
            note(is_right)
            self._score.answered += 1
            self._score.right += is_right
            if not is_right:
                # Counted before the second try, which may be the end of the input.
                screen.show_misconception(console, question, given)
                given = _answer()
                is_right = given is not None and question.accepts(given)
                self._score.later += is_right
            screen.show_answer(console, question, is_right)


def _answer() -> float | None:
    """The number that was typed. None for Enter alone."""
    while True:
        # With a default, typer returns an empty line instead of silently asking again.
        typed = str(typer.prompt("  Your answer (Enter skips)", default="", show_default=False))
        if not typed.strip():
            return None
        if (number := number_from(typed)) is not None:
            return number
        console.print("  Please enter a number, for example 12, 0.25 or 10,240.", markup=False)

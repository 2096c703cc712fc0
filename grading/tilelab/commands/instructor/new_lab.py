"""`tilelab new-lab`: writes the files of a new lab."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.setup import lab_choices, lab_template

Answer = TypeVar("Answer")


def new_lab(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="For example matrix_transpose.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="What lists and handouts call it.")] = None,
    after: Annotated[
        str | None, typer.Option(metavar="LAB", help="The lab before it in the course, or first.")
    ] = None,
    element: Annotated[
        str | None, typer.Option(metavar="TYPE", help="Of its arrays: float, double or int.")
    ] = None,
    speed: Annotated[
        bool | None, typer.Option("--speed/--no-speed", help="Whether speed gives points.")
    ] = None,
    points: Annotated[
        str | None, typer.Option(help='Of each criterion: "40 10 20 30", together 100.')
    ] = None,
) -> None:
    """For instructors: writes a small working lab for you to change.

    In a terminal it asks for what no option says. Elsewhere it takes the usual.
    """
    try:
        name = _settle(name, "Name, such as matrix_transpose", None, _usable)
        choices = _choices(name, title, after, element, speed, points)
    except typer.Abort:  # Ctrl-C, Ctrl-D
        console.print("\nStopped. Nothing was written.")
        raise typer.Exit(1) from None
    for path in lab_template.make(name, choices):
        console.print(f"Wrote {path}", markup=False)
    console.print(
        f"Next: edit each place marked TODO(instructor), then run ./tilelab verify {name}",
        markup=False,
    )


def _choices(
    name: str,
    title: str | None,
    after: str | None,
    element: str | None,
    speed: bool | None,
    points: str | None,
) -> lab_choices.Choices:
    course = lab.course()
    heading = _settle(title, "Title", lab_choices.usual_title(name), lab_choices.title)
    order = _settle(
        after,
        f"After which lab ({', '.join([lab_choices.FIRST, *(one.name for one in course)])})",
        lab_choices.usual_place(course),
        lambda text: lab_choices.order(text, course),
    )
    kind = _settle(
        element, f"Elements ({', '.join(lab_choices.ELEMENTS)})", "float", lab_choices.element
    )
    timed = None if speed is None else "yes" if speed else "no"
    is_timed = _settle(timed, "Does speed give points? It needs a GPU (yes, no)", "yes", _yes)
    shares = _settle(
        points,
        f"Points for {', '.join(lab_choices.criteria(is_timed=is_timed))}",
        lab_choices.usual_points(is_timed=is_timed),
        lambda text: lab_choices.points_of(text, is_timed=is_timed),
    )
    return lab_choices.Choices(heading, order, kind, shares)


def _settle(
    given: str | None, question: str, usual: str | None, read: Callable[[str], Answer]
) -> Answer:
    """What an option says, or the answer in a terminal, or the usual.

    A bad answer is explained, and the question comes again. A bad option raises UserError.
    """
    if given is not None:
        return read(given)
    if not (sys.stdin.isatty() and console.is_terminal):
        if usual is None:
            raise UserError("say the lab's name: ./tilelab new-lab NAME")
        return read(usual)
    while True:
        # With a default, typer returns an empty line instead of silently asking again.
        shown = typer.prompt(question, default=usual or "", show_default=usual is not None)
        try:
            return read(str(shown))
        except UserError as error:
            console.print(f"  {one_line(str(error))}", style="red", markup=False)


def _usable(name: str) -> str:
    lab_template.assert_usable(name.strip())
    return name.strip()


def _yes(text: str) -> bool:
    answer = text.strip().lower()
    if answer not in ("y", "yes", "n", "no"):
        raise UserError("answer yes or no")
    return answer.startswith("y")

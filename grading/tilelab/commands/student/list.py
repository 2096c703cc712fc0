"""`tilelab list`: shows where you are in the course."""

from __future__ import annotations

from tilelab.base.errors import UserError
from tilelab.base.repository import IS_COURSE
from tilelab.base.text import one_line
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.screens.course import show_course
from tilelab.tutor import standing


def list() -> None:
    """Shows how far you are in the course, and what to do next."""
    if not IS_COURSE:
        raise UserError(lab.NO_COURSE)
    show_course(console, standing.of_course())
    for name, why in lab.unreadable().items():
        console.print(f"{name} is left out: {one_line(why)}", markup=False)

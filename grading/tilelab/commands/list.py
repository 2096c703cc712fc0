"""`tilelab list`: shows where you are in the course."""

from __future__ import annotations

from tilelab.commands.console import console
from tilelab.screens.course import show_course
from tilelab.tutor import standing


def list() -> None:
    """Shows the labs in their order, how far you are, and what to do next."""
    show_course(console, standing.of_course())

"""`tilelab list`: shows where you are in the course."""

from __future__ import annotations

from tilelab.commands.console import console
from tilelab.screens.course import show_course
from tilelab.tutor import standing


def list() -> None:
    """Shows how far you are in the course, and what to do next."""
    show_course(console, standing.of_course())

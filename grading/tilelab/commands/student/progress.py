"""`tilelab progress`: shows how many predictions were right."""

from __future__ import annotations

import datetime

from tilelab.base.errors import UserError
from tilelab.base.repository import IS_COURSE
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.screens.learning.understanding import show_understanding
from tilelab.tutor import recall
from tilelab.tutor.predict import understanding


def progress() -> None:
    """Shows how many of your predictions were right, and what to repeat."""
    if not IS_COURSE:
        raise UserError(lab.NO_COURSE)
    now = datetime.datetime.now(datetime.UTC)
    show_understanding(console, understanding.of_course(), len(recall.due(now)))

from __future__ import annotations

import io
import re
from typing import get_args

import pytest
from rich.console import Console

from tilelab.labs import lab
from tilelab.screens.course import show_course
from tilelab.tutor.progress import Outcome, Progress
from tilelab.tutor.standing import Standing


def shown(states: dict[str, Progress]) -> list[str]:
    file = io.StringIO()
    standings = [Standing(one, states.get(one.name, Progress())) for one in lab.course()]
    show_course(Console(file=file, width=80), standings)
    return file.getvalue().splitlines()


@pytest.mark.parametrize("outcome", get_args(Outcome))
def test_every_outcome_fits_on_a_screen(outcome: Outcome) -> None:
    lines = shown({one.name: Progress(outcome) for one in lab.course()})
    assert len(lines) <= 17 + len(lab.course())
    assert max(map(len, lines)) <= 80


def test_a_right_but_slow_kernel_lets_the_student_go_on() -> None:
    first, second = lab.course()[:2]
    lines = shown({first.name: Progress("slow"), second.name: Progress("failed")})
    row = next(line for line in lines if re.match(rf"  +1 +{first.name}\b", line))
    assert "could be faster" in row
    assert any(re.match(rf"> +2 +{second.name}\b", line) for line in lines)

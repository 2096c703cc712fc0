"""`tilelab hint`: gives the next hint."""

from __future__ import annotations

from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.score import lab
from tilelab.tutor import advice, progress


def hint(lab_name: options.LabName) -> None:
    """Gives the next hint for what failed last, or says what to do next if nothing failed."""
    the_lab = lab.load(lab_name)
    lines, state = advice.hint(the_lab, progress.load(lab_name))
    console.print("\n".join(lines), markup=False)
    progress.save(lab_name, state)

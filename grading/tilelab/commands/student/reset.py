"""`tilelab reset`: brings back the skeleton of a lab, and keeps your file."""

from __future__ import annotations

import os

from tilelab.base.errors import UserError
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.tutor import fresh_start


def reset(lab_name: options.LabName) -> None:
    """Brings back the file as you got it, and keeps yours next to it."""
    the_lab = lab.load(lab_name)
    name = f"labs/{lab_name}/{lab_name}.cu"
    if fresh_start.is_pristine(the_lab):
        console.print(f"{name} is already as you got it.")
        return
    if not os.access(the_lab.skeleton.parent, os.W_OK):
        raise UserError(options.how_to_copy(the_lab))
    backup = fresh_start.begin(the_lab)
    if backup:
        console.print(f"Kept your file as labs/{lab_name}/{backup.name}", markup=False)
    console.print(f"{name} is as you got it. Start with TODO 1.")

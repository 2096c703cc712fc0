"""`tilelab wheel`: builds the package that pip installs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.commands.console import working
from tilelab.labs import lab
from tilelab.wheel import building


def wheel(
    target: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put it.")] = Path(),
) -> None:
    """For maintainers: builds the package that pip installs, with the judges of all labs."""
    if not target.is_dir():
        raise UserError(f"{one_line(str(target))} is not a folder: make it, or name another one")
    with working("Building the wheel, which takes minutes"):
        made = building.build(lab.all_labs())
    print(shutil.copy(made, target))

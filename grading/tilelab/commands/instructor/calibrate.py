"""`tilelab calibrate`: measures what time estimates need to know of a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab import backends
from tilelab.base.errors import UserError
from tilelab.base.files import from_here, write_atomically
from tilelab.bench import results_file
from tilelab.commands.console import console, working
from tilelab.estimate import figures
from tilelab.maintain import microbenchmarks


def calibrate(
    to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write this file. Default: one that estimates use."),
    ] = None,
) -> None:
    """For instructors: measures this machine's GPU for time estimates.

    Takes minutes at most. Nothing else may use the GPU meanwhile.
    """
    backend = backends.timing()
    device = backend.device()
    assert device is not None
    path = to or figures.MEASURED / f"{results_file.slug(device.name)}.toml"
    with working(f"Measuring {device.name}"):
        text = microbenchmarks.figures_of(backend, device)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    console.print(f"Wrote {from_here(path)}", markup=False)

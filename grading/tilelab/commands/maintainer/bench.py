"""`tilelab bench`: times the labs' own kernels."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab import backends
from tilelab.base.errors import UserError
from tilelab.bench import kernels, plots, results_file, tables
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.screens.results import show_machine


def bench(
    lab_names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LAB]...", help="Which labs. Default: all with speed."),
    ] = None,
    peers: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="What times other libraries: './tilelab measure others'.",
        ),
    ] = None,
    only_tables: Annotated[
        bool, typer.Option("--tables", help="Measure nothing, only rewrite the tables.")
    ] = False,
) -> None:
    """For maintainers: times the solutions on a GPU for docs/results."""
    if only_tables:
        written = sorted(results_file.RESULTS.glob("*.json"))
    else:
        labs = timed(lab_names)
        session = options.session(backends.timing().preset, None, labs)
        show_machine(console, session.machine())
        written = [kernels.run(labs, session, peers, lambda one: console.print(one.name))]
    for results in written:
        # Plots come first, because the page shows those that exist.
        for path in [results, *plots.write(results), *tables.write(results)]:
            console.print(f"Wrote {path}", markup=False)


def timed(names: list[str] | None) -> list[Lab]:
    """The labs of these names, or all that have times."""
    if not names:
        return [one for one in map(lab.load, lab.all_labs()) if one.is_timed]
    labs = [lab.load(name) for name in dict.fromkeys(names)]
    for one in labs:
        if not one.is_timed:
            raise UserError(f"{one.name} has no criterion of speed, so there is nothing to time")
    return labs

"""`tilelab test`: runs the tests of the repository."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.commands.console import console
from tilelab.maintain import changes, suite
from tilelab.pipeline.harness.steps import Tell
from tilelab.screens.building import building

_SEEDS = 1_000_000


def test(
    everything: Annotated[bool, typer.Option("--all", help="Run all tests.")] = False,
    changed: Annotated[
        str | None,
        typer.Option(
            metavar="BASE",
            help="Add what tests the changes since a commit, or since the last 'landing', and a "
            "tenth of the others.",
        ),
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Run only the tests that need a GPU.")] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Draws the samples that an earlier run drew.")
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="Only say what would run.")] = False,
) -> None:
    """Builds the emulator and runs the first tier: a sample of each kind of test."""
    if everything + gpu + (changed is not None) > 1:
        raise UserError("--all, --changed and --gpu exclude each other: give one of them")
    if list_only and (everything or gpu):
        raise UserError("--list needs no --all and no --gpu, which draw nothing")
    if gpu:
        raise typer.Exit(suite.run_gpu(console, _showing))
    if everything:
        raise typer.Exit(suite.run(None, console, _showing))
    if changed is None:
        chosen = suite.first_tier(random.randrange(_SEEDS) if seed is None else seed)
    else:
        found = changes.since(changed)
        _say(found)
        chosen = suite.after(found, int(found.head, 16) % _SEEDS if seed is None else seed)
    console.print(f"The sample is that of --seed {chosen.seed}.", markup=False)
    raise typer.Exit(
        suite.show(chosen, console) if list_only else suite.run(chosen, console, _showing)
    )


def _showing(what: str) -> AbstractContextManager[Tell]:
    return building(console, what, "a few minutes")


def _say(found: changes.Changes) -> None:
    if found.base is None:
        console.print(
            "There is no commit to compare with, so NOTHING COUNTS AS CHANGED: only the first tier "
            "and a tenth of the others run.",
            markup=False,
        )
        return
    console.print(f"Changed since {found.base}: {len(found.paths)} files.", markup=False)

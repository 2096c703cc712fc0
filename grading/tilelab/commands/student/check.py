"""`tilelab check`: tests one submission and shows its score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import typer

from tilelab.base.files import from_here
from tilelab.commands import causes, options, predict
from tilelab.commands.console import MACHINE_ERROR, console, working
from tilelab.exports import github, junit
from tilelab.model.failure import Causes
from tilelab.model.grade import Grade
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.profiling import beside
from tilelab.screens import estimate
from tilelab.screens.check import show_cause, show_check, show_praise
from tilelab.screens.results import show_machine
from tilelab.screens.waiting import waiting
from tilelab.tutor import advice

# For other programs.
_FORMATS = {"github": github.text, "junit": junit.text}


def check(
    lab_name: options.LabOrFile,
    file: options.File = None,
    backend: options.Backend = None,
    seed: options.Seed = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show every failure in full.")] = False,
    find_cause: options.FindCause = True,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"Print the result as {' or '.join(_FORMATS)}, and everything else to stderr.",
            autocompletion=lambda: list(_FORMATS),
        ),
    ] = None,
) -> None:
    """Tests one submission and shows its score."""
    options.known_format(format_, _FORMATS)
    if format_ is not None:
        console.stderr = True
    the_lab, path = options.lab_and_file(lab_name, file)
    session = options.session(backend, seed, [the_lab], without_seccomp=True, estimates=True)
    asks = format_ is None and predict.can_ask()
    session = replace(session, keeps_calls=asks)
    show_machine(console, session.machine())
    with beside.estimate(session) as estimated:
        with waiting(console, the_lab) as tell:
            result = submission.grade(path, the_lab, session, tell=tell, hear=estimated.begin)
        prediction = predict.ask(result, the_lab, session) if asks else None
        looks = find_cause and causes.can_be_found(result, the_lab)
        waits = estimated.has_begun and _has_no_time(result, the_lab)
        show_check(
            console,
            the_lab,
            from_here(path),
            result,
            session.seed,
            show_all,
            hint=not looks,
            praise=not waits,
        )
        if waits and (time := estimated.result()):
            _say(estimate.lines(time))
            if not (time.is_refused or _falls_short(result)):
                show_praise(console, the_lab)
        elif any(row.status == "estimated" for row in result.criteria):
            _say(estimate.lines(result.estimate))
    found = Causes()
    if looks:
        with working("Looking for the cause"):
            found = causes.of(result, the_lab, session)
        show_cause(console, the_lab, result, found)
    if prediction:
        prediction.show()
    if line := advice.note_check(result, the_lab, path, found):
        console.print(line, markup=False)
    if format_ is not None:
        print(_FORMATS[format_]([Grade(result)]), end="")
    if result.verdict == "infra_error":
        raise typer.Exit(MACHINE_ERROR)
    raise typer.Exit(0 if result.verdict == "graded" and not _falls_short(result) else 1)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        console.print(line, markup=False)


def _falls_short(result: Result) -> bool:
    return any(criterion.falls_short for criterion in result.criteria)


def _has_no_time(result: Result, lab: Lab) -> bool:
    """Whether only a GPU is missing for the criterion that is timed."""
    rows = {row.name: row for row in result.criteria}
    return any(
        one.name in rows
        and rows[one.name].status == "not_run"
        and not any(name in rows and rows[name].falls_short for name in one.after)
        for one in lab.criteria
        if one.curve
    )

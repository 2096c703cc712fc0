"""Reads the predictions of a lab: what `check` asks before it shows what was counted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tilelab.base.errors import UserError
from tilelab.base.fields import NotNegative, Positive, Text, Texts
from tilelab.base.tables import read
from tilelab.model.lab import Lab

_ID = re.compile(r"[a-z][a-z0-9_]*")

When = Annotated[Literal["right", "passed"], Meta(description='must be "right" or "passed"')]


class Question(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all predictions have: a question, and when a file is ready for it.

    A file is ready if its results are "right", or if it has "passed" everything but speed. If
    there are `tests`, only those that have it in their names have to be right, as for a task.
    """

    id: Text
    ask: Text
    when: When = "right"
    tests: Text = ""


class Counted(Question, frozen=True, kw_only=True):
    """Asks for a number that the checked build counts on the learner's own kernel.

    `metric` is a name of tutor.counts, or one that the lab's tests report. It is that of the first
    call that has it, or of the first such call of the function `call`. `says` has the value in
    place of {}. An answer may be off by `tolerance`. `low`, `right` and `high` say what an answer
    means.
    """

    metric: Text
    says: Text
    low: Text
    right: Text
    high: Text
    call: Text = ""
    tolerance: NotNegative = 0

    def accepts(self, given: float, counted: float) -> bool:
        # What is shown is rounded, so a copied answer is right.
        return abs(given - counted) <= max(float(self.tolerance), 0.005) + 1e-9 * abs(counted)

    def means(self, given: float, counted: float) -> str:
        if self.accepts(given, counted):
            return self.right
        return self.low if given < counted else self.high


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """What may happen without the line: which criteria fall short, and why."""

    text: Text
    fails: Texts
    says: Text


class Removed(Question, frozen=True, kw_only=True):
    """Asks what happens to the learner's own kernel without a statement: a variant is judged.

    The statement is the `first` or the `last` of its kind in the file.
    """

    statement: Text
    place: Annotated[Literal["first", "last"], Meta(description='must be "first" or "last"')] = (
        "first"
    )
    choices: Annotated[
        tuple[Outcome, ...], Meta(min_length=2, description="must have at least two choices")
    ]


class Version(Struct, frozen=True, forbid_unknown_fields=True):
    """A kernel that was timed: the baseline, the reference or a ladder step, in milliseconds."""

    text: Text
    kernel: Text
    ms: Positive


class Faster(Question, frozen=True, kw_only=True):
    """Asks which of the lab's own versions is fastest, by times that are committed.

    `problem` is the size, as docs/results has it, on the `gpu`.
    """

    gpu: Text
    problem: Text
    choices: Annotated[
        tuple[Version, ...], Meta(min_length=2, description="must have at least two choices")
    ]
    right: Text
    wrong: Text

    @property
    def answer(self) -> Version:
        return min(self.choices, key=lambda one: one.ms)


Prediction = Counted | Removed | Faster


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    counted: tuple[Counted, ...] = ()
    removed: tuple[Removed, ...] = ()
    faster: tuple[Faster, ...] = ()


def path_of(lab: Lab) -> Path:
    return lab.repo / "labs" / lab.name / "predictions.toml"


def load(lab: Lab) -> Sequence[Prediction]:
    """Reads labs/NAME/predictions.toml, in the order in which they are asked. A lab may have none.

    Raises UserError with one line that says what is wrong in it.
    """
    path = path_of(lab)
    return read(path, _File, _predictions) if path.exists() else ()


def problems(lab: Lab, metrics: Collection[str], judge: str) -> Iterator[str]:
    """What is wrong in the file. `judge` are the sources of the lab's tests, which name theirs."""
    where = f"labs/{lab.name}/predictions.toml"
    try:
        found = load(lab)
    except UserError as error:
        yield str(error)
        return
    criteria = {one.name for one in lab.criteria}
    for one in found:
        if one.tests not in judge:
            yield f"{where}: {one.id} waits for '{one.tests}', which is in no test's name"
        if isinstance(one, Counted) and not (one.metric in metrics or f'"{one.metric}"' in judge):
            yield (
                f"{where}: {one.id} counts '{one.metric}'; the metrics are {', '.join(metrics)}, "
                f"and those of tests/labs/{lab.name}"
            )
        if isinstance(one, Removed):
            named = {name for choice in one.choices for name in choice.fails}
            for name in sorted(named - criteria):
                yield f"{where}: {one.id} names the criterion '{name}', which the lab does not have"


def _predictions(file: _File) -> Sequence[Prediction]:
    found: tuple[Prediction, ...] = (*file.counted, *file.removed, *file.faster)
    seen: set[str] = set()
    for one in found:
        if not _ID.fullmatch(one.id):
            raise ValueError(f"{one.id}: use lower-case letters, digits and _ in an id")
        if one.id in seen:
            raise ValueError(f"two predictions have the id {one.id}")
        seen.add(one.id)
    for counted in file.counted:
        if counted.says.count("{}") != 1:
            raise ValueError(f"{counted.id}: says must have one {{}}, in place of the value")
    return found

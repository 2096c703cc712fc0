"""Reads the cases of a lab: given kernels with one line at fault."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tilelab.base.errors import UserError
from tilelab.base.fields import Text, Texts, Whole
from tilelab.base.tables import read
from tilelab.base.text import one_line, suggestion
from tilelab.model.lab import CASES, Lab


class DetectiveCase(Struct, frozen=True, forbid_unknown_fields=True):
    """A kernel whose fault a student looks for, with `look`, a command, and then names.

    The fault is in the first of `lines`. The others are as good an answer, where something is
    missing in between. `answer` is the number of the right one of `choices`, from 1. With `fixed`
    in its place, the line is no longer at fault: it then passes the tests of `kind`, or for "speed"
    has a better `metric`, a name of tutor.counts.
    """

    name: Text
    kind: Literal["correctness", "safety", "memory", "speed"]
    story: Text
    look: Literal["check", "show", "profile"]
    lines: Annotated[tuple[Whole, ...], Meta(min_length=1, description="must name a line")]
    choices: Annotated[Texts, Meta(min_length=2, description="must have two choices or more")]
    answer: Whole
    why: Text
    fixed: Text
    metric: Text = ""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    cases: tuple[DetectiveCase, ...] = ()


def load(lab: Lab) -> list[DetectiveCase]:
    """Reads labs/NAME/cases.toml. Raises UserError with one line that says what is wrong in it."""
    path = lab.repo / "labs" / lab.name / "cases.toml"
    if not path.exists():
        raise UserError(f"{lab.name} has no cases: {path} does not exist")
    return read(path, _File, _cases)


def source_of(case: DetectiveCase, lab: Lab) -> Path:
    """The kernel of a case."""
    return lab.repo / "labs" / lab.name / CASES / f"{case.name}.cu"


def named(cases: list[DetectiveCase], name: str) -> DetectiveCase:
    """The case of this name. Raises UserError if there is none."""
    found = next((one for one in cases if one.name == name), None)
    if found is None:
        near = suggestion(name, (one.name for one in cases))
        raise UserError(f"there is no case '{one_line(name)}'{near}")
    return found


def _cases(file: _File) -> list[DetectiveCase]:
    if not file.cases:
        raise ValueError("it needs at least one [[cases]]")
    for one in file.cases:
        if not 1 <= one.answer <= len(one.choices):
            raise ValueError(f"the answer of {one.name} must be the number of one of its choices")
    return list(file.cases)

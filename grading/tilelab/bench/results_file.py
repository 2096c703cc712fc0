"""Results files, docs/results/GPU.json: what was measured, per lab."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
from msgspec import Struct

from tilelab.base.errors import UserError
from tilelab.base.fields import Number
from tilelab.base.files import write_atomically
from tilelab.base.records import decoded
from tilelab.base.repository import REPO
from tilelab.model.measurement import Measurement

RESULTS = REPO / "docs" / "results"

_CHALLENGE = "challenge, "


class Timed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was measured in one lab, by the titles of problems.

    `scaling` is the same for few kernels and many sizes; older files lack it. `peers` has
    milliseconds by the names of other libraries.
    """

    machine: dict[str, str | None]
    date: str
    problems: dict[str, Measurement]
    scaling: dict[str, Measurement] = {}
    peers: dict[str, dict[str, Number]]


Results = dict[str, Timed]


def load(path: Path) -> Results:
    """Reads a results file. Raises UserError if it is not one."""
    try:
        return decoded(path.read_bytes(), Results)
    except (OSError, ValueError) as error:
        raise UserError(
            f"{path} is not a results file ({error}): remove it and run ./tilelab bench"
        ) from error


def save(path: Path, results: Results) -> None:
    write_atomically(path, json.dumps(msgspec.to_builtins(results), indent=1) + "\n")


def in_challenge(title: str) -> str:
    """The title of a problem where entries for the challenge are compared with the reference."""
    return f"{_CHALLENGE}{title}"


def is_challenge(title: str) -> bool:
    return title.startswith(_CHALLENGE)


def plot(results: Path, of: str) -> Path:
    """Where the plot of a lab, say, is: in a folder named after the results file."""
    return results.with_suffix("") / f"{of}.svg"


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")

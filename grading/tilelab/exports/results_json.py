"""Writes results.json, for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import structs

from tilelab.base.files import write_pieces_atomically
from tilelab.model.grade import Grade


def write(
    path: Path, machines: Sequence[dict[str, str | None]], seed: int, grades: Iterable[Grade]
) -> None:
    """Writes results.json. `tilelab check --seed` repeats a result with the same inputs."""
    about = {"schema": 2, "machines": list(machines), "seed": seed}
    write_pieces_atomically(path, (piece.encode() for piece in _pieces(about, grades)))


def _pieces(about: dict[str, object], grades: Iterable[Grade]) -> Iterator[str]:
    """The text, a submission at a time: all of a class would take a lot of memory."""
    yield _text(about).removesuffix("\n}") + ',\n  "submissions": ['
    before = "\n"
    for grade in grades:
        yield before + textwrap.indent(_text(_submission(grade)), "    ")
        before = ",\n"
    yield "\n  ]\n}\n"


def _text(data: dict[str, object]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False)


def _submission(grade: Grade) -> dict[str, object]:
    adjustment = grade.adjustment
    return {
        **grade.result.to_json(),
        "submitted": grade.submitted,
        "days_late": grade.days_late,
        "lost_share": grade.lost_share,
        "adjustment": structs.asdict(adjustment) if adjustment else None,
        "remarks": [structs.asdict(one) for one in grade.remarks],
        "final_score": grade.score,
    }

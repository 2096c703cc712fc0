"""The worst estimates, explained."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path

from page.measured import Measured
from page.words import item, section, wrapped
from results import Row

_EXPLANATIONS = Path(__file__).resolve().parents[1] / "explanations.toml"
_WORST = 10


def text(gpus: Sequence[Measured]) -> str:
    why = tomllib.loads(_EXPLANATIONS.read_text(encoding="utf-8"))
    known = [(row, gpu) for gpu in gpus for row in gpu.long if row.estimated is not None]
    known.sort(key=lambda one: -abs(math.log(one[0].ratio)))
    first: dict[str, tuple[Row, Measured]] = {}
    for row, gpu in known:
        name = name_of(row)
        first.setdefault(why.get(name, {}).get("like", name), (row, gpu))
    items = []
    for i, (name, (row, gpu)) in enumerate(list(first.items())[:_WORST], 1):
        said = why.get(name, {}).get("why", "Nobody knows why yet.")
        items.append(item(f"{_what(row, gpu)} {said}", f"{i}."))
    return section(
        "The worst ten",
        wrapped(
            "The kernels whose estimates are off by the largest factor, each at its worst size and "
            "on the GPU where it is worse. Of several that are wrong for one reason, the worst is "
            "named."
        ),
        "\n".join(items),
    )


def name_of(row: Row) -> str:
    """The kernel's in explanations.toml."""
    if row.is_elsewhere:
        return f"{row.lab}/{row.problem.split()[0]}"
    return f"{row.lab}/{row.kernel}"


def _what(row: Row, gpu: Measured) -> str:
    kind = "mistake " if row.kind == "mistake" else ""
    return (
        f"`{row.lab}`, {kind}`{row.kernel}`, `{row.problem}` on an {gpu.short_name}: "
        f"{row.estimated:.4g} ms instead of {row.measured:.4g} ms."
    )

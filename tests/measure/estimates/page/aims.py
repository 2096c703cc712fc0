"""Whether the estimates are as good as they should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from page.measured import KINDS, Measured
from page.words import percent, precise, section, table, wrapped
from results import Summary, gamma


def text(gpus: Sequence[Measured]) -> str:
    parts = []
    for gpu in gpus:
        parts += [f"### {gpu.name}", _table(gpu)]
    ladders = [one for gpu in gpus if (one := gpu.summary(gpu.of("ladder")))]
    medians = " and ".join(precise(one.median) for one in ladders)
    return section(
        "Aims",
        *parts,
        wrapped(
            f"An ✗ marks an aim that is missed. Half of the ladders' errors are below {medians}: "
            "a few kernels, which [are explained](#the-worst-ten), make up much of the mean."
        ),
    )


def _table(gpu: Measured) -> str:
    kinds = [kind for kind in KINDS if gpu.of(kind)]
    found = [gpu.summary(gpu.of(kind)) for kind in kinds]
    rows = [
        ["mean error at most 15 %", *_cells(found, _error)],
        ["the interval holds 85 to 95 %", *_cells(found, _covered)],
        ["abstains for at most 15 %", *_cells(found, _abstains)],
        ["[rank correlation](#the-order-of-a-ladders-steps) of 0.9 in every ladder", _ranked(gpu)],
        ["limiter as Nsight Compute names it, 80 %", *_named(gpu, kinds)],
    ]
    width = len(kinds) + 1
    return table(["aim", *(KINDS[kind] for kind in kinds)], [_filled(row, width) for row in rows])


def _filled(row: list[str], width: int) -> list[str]:
    return row + [""] * (width - len(row))


def _cells(
    found: Sequence[Summary | None], cell: Callable[[Summary], tuple[str, bool]]
) -> list[str]:
    return [_marked(*cell(one)) if one else "" for one in found]


def _marked(said: str, is_met: bool) -> str:
    return said if is_met else f"{said} ✗"


def _error(one: Summary) -> tuple[str, bool]:
    return precise(one.error), one.error <= 0.15


def _covered(one: Summary) -> tuple[str, bool]:
    return percent(one.covered), 0.85 <= one.covered <= 0.95


def _abstains(one: Summary) -> tuple[str, bool]:
    share = one.abstained / (one.abstained + one.estimates)
    return percent(share), share <= 0.15


def _ranked(gpu: Measured) -> str:
    correlations = [gamma(found) for found in gpu.ladders.values()]
    good = sum(one >= 0.9 for one in correlations)
    return _marked(f"in {good} of {len(correlations)}", good == len(correlations))


def _named(gpu: Measured, kinds: Sequence[str]) -> list[str]:
    cells = []
    for kind in kinds:
        named = [one for one in gpu.named if one.kind == kind]
        if not named:
            cells.append("")
            continue
        share = sum(one.is_right for one in named) / len(named)
        cells.append(_marked(percent(share), share >= 0.8))
    return cells

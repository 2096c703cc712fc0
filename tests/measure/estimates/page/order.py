"""Whether estimates put a ladder's steps in their order."""

from __future__ import annotations

from collections.abc import Sequence

from page.measured import Measured
from page.words import listed, percent, section, table, wrapped
from results import APART, Ranked
from statistic import mean


def text(gpus: Sequence[Measured]) -> str:
    return section(
        "The order of a ladder's steps",
        wrapped(
            "Spearman's rank correlation of estimated and measured times, of the steps of one "
            "ladder that solve one problem, those below 5 µs included. Where steps are within a "
            "few percent of each other, as the last four of `diff` are, their order is beyond an "
            "estimate. *pairs*: of two steps whose times differ by at least "
            f"{percent(APART - 1)}, how often the estimates are in the right order."
        ),
        *(_table(gpu) for gpu in gpus),
        wrapped(
            "In all ladders, "
            + listed([f"{_pairs(one.ranked)} of the pairs on an {one.short_name}" for one in gpus])
            + " are in the right order."
        ),
    )


def _pairs(found: Sequence[Ranked]) -> str:
    return percent(sum(one.in_order for one in found) / sum(one.pairs for one in found))


def _table(gpu: Measured) -> str:
    lines = []
    for lab in gpu.labs:
        found = [one for one in gpu.ranked if one.lab == lab]
        if not found:
            continue
        worst = min(found, key=lambda one: one.correlation)
        lines.append(
            [
                f"`{lab}`",
                f"`{worst.problem}`",
                str(len(found)),
                f"{mean([one.correlation for one in found]):.2f}",
                f"{worst.correlation:.2f}",
                _pairs(found),
            ]
        )
    head = [f"ladder, {gpu.short_name}", "worst problem", "problems", "mean", "worst", "pairs"]
    return table(head, lines, 2)

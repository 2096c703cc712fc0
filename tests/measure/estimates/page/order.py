"""Whether estimates put a ladder's steps in their order."""

from __future__ import annotations

from collections.abc import Sequence

from page.measured import Measured
from page.words import listed, percent, section, table, wrapped
from results import APART, Ranked, gamma
from statistic import mean


def text(gpus: Sequence[Measured]) -> str:
    return section(
        "The order of a ladder's steps",
        wrapped(
            "Steps within a few percent of each other, as the last four of `diff` are, have an "
            "order that is beyond any estimate. So *correlation* counts pairs of steps whose "
            f"times differ by at least {percent(APART - 1)}: those that the estimates put in the "
            "right order, less those in the wrong one, as a share of all (Goodman and Kruskal's "
            "gamma). A pair solves the same problem. *Spearman* is the mean of the rank "
            "correlations of all steps that solve one problem, those that take the same time "
            "included, and *worst* the lowest of them."
        ),
        *(_table(gpu) for gpu in gpus),
        wrapped(
            "In all ladders, "
            + listed([f"{_pairs(one.ranked)} of the pairs on an {one.short_name}" for one in gpus])
            + " are in the right order. Spearman's correlation is 0.9 at least for "
            + listed([f"{_spearman(one)} problems on an {one.short_name}" for one in gpus])
            + "."
        ),
    )


def _spearman(gpu: Measured) -> str:
    good = sum(one.correlation >= 0.9 for one in gpu.ranked)
    return f"{good} of {len(gpu.ranked)}"


def _pairs(found: Sequence[Ranked]) -> str:
    return percent(sum(one.in_order for one in found) / sum(one.pairs for one in found))


def _table(gpu: Measured) -> str:
    lines = []
    for lab, found in gpu.ladders.items():
        worst = min(found, key=lambda one: one.correlation)
        lines.append(
            [
                f"`{lab}`",
                str(len(found)),
                str(sum(one.pairs for one in found)),
                f"{gamma(found):.2f}",
                f"{mean([one.correlation for one in found]):.2f}",
                f"{worst.correlation:.2f}",
                f"`{worst.problem}`",
            ]
        )
    head = ["problems", "pairs", "correlation", "Spearman", "worst", "of"]
    return table([f"ladder, {gpu.short_name}", *head], lines)

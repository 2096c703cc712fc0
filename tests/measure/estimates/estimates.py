"""Compares estimated times with measured ones.

    ./tilelab measure estimates

Reads what measure.py, counters.py and estimate.py left in docs/results/estimates, and writes
docs/results/estimates.md. The interval that estimates get comes from the first GPU.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import tables
from kernels import REPO, RESULTS
from page import (
    abstentions,
    aims,
    held_out,
    intervals,
    irregular,
    labs,
    limiting,
    open_questions,
    order,
    short_calls,
    worst,
)
from page.measured import KINDS, Measured
from page.words import item, wrapped
from statistic import mean
from tilelab.base.files import write_atomically

GPUS = ("nvidia_h200", "nvidia_h100_80gb_hbm3")
PAGE = REPO / "docs" / "results" / "estimates.md"


def measured() -> list[Measured]:
    """Every GPU. The estimates for all of them have the interval of the first."""
    course = Measured(GPUS[0])
    return [course, *(Measured(slug, fitted_to=course) for slug in GPUS[1:])]


def text(gpus: Sequence[Measured]) -> str:
    return (
        head(gpus)
        + aims.text(gpus)
        + held_out.text(gpus)
        + labs.text(gpus)
        + order.text(gpus)
        + intervals.text(gpus[0])
        + limiting.errors(gpus)
        + limiting.agreement(gpus)
        + short_calls.text(gpus)
        + abstentions.text(gpus)
        + worst.text(gpus)
        + irregular.text()
        + open_questions.text(gpus)
    ).rstrip("\n") + "\n"


def head(gpus: Sequence[Measured]) -> str:
    parts = [
        "# How good the time estimates are",
        wrapped(
            "[An estimated time](../estimates.md) comes from a kernel's machine code and a model "
            "of the GPU. This page compares it with the time that the GPU takes."
        ),
        "`./tilelab measure estimates` writes this page, for",
        "\n".join(item(f"{gpu.machine}: {_size(gpu)}") for gpu in gpus),
    ]
    return "\n\n".join(parts) + "\n\n"


def _size(gpu: Measured) -> str:
    course = {row.file for row in gpu.all if not row.is_elsewhere}
    others = {row.file for row in gpu.all if row.is_elsewhere}
    return f"{len(course)} kernels of the course and {len(others)} from elsewhere."


def data(gpu: Measured) -> dict[str, object]:
    made: dict[str, object] = {
        "interval": asdict(gpu.interval),
        "launch_milliseconds": gpu.launch_milliseconds(),
    }
    for kind, title in KINDS.items():
        every = {lab: gpu.summary(gpu.of(kind, lab)) for lab in ["", *gpu.labs, *gpu.collections]}
        made[title] = {lab or "all": asdict(one) for lab, one in every.items() if one}
    short = gpu.summary(gpu.short)
    made["below_5_us"] = asdict(short) if short else None
    made["rank_correlations"] = [asdict(one) for one in gpu.ranked]
    made["limiters"] = {
        "calls": len(gpu.named),
        "right": mean([float(one.is_right) for one in gpu.named]),
        "same": mean([float(one.is_same) for one in gpu.named]),
    }
    return made


def main() -> None:
    tables.parser(__doc__).parse_args()
    gpus = measured()
    write_atomically(PAGE, text(gpus))
    summary = {"interval": asdict(gpus[0].interval), **{gpu.slug: data(gpu) for gpu in gpus}}
    write_atomically(RESULTS / "summary.json", json.dumps(summary, indent=2) + "\n")
    print(f"Wrote {PAGE}")


if __name__ == "__main__":
    main()

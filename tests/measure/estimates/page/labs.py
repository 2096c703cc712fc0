"""The errors by lab and by collection."""

from __future__ import annotations

from collections.abc import Sequence

import elsewhere
from page.measured import KINDS, Measured
from page.words import percent, precise, section, table, wrapped
from results import Row


def text(gpus: Sequence[Measured]) -> str:
    parts = []
    for kind, title in KINDS.items():
        for gpu in gpus:
            if gpu.of(kind):
                parts.append(_table(gpu, kind, title))
    return section(
        "By lab",
        *parts,
        wrapped(
            "*kernels*: files, or functions from elsewhere. *elsewhere* are programs that the "
            "model was repaired with, *held out* those that came after. *times*: calls at some "
            "size that were estimated. *mean*, *median*, *90 %*: of the errors, and what nine in "
            "ten do not exceed. *abstains*: calls without an estimate."
        ),
    )


def _table(gpu: Measured, kind: str, title: str) -> str:
    labs = gpu.collections if kind in elsewhere.KINDS else gpu.labs
    lines = [_line(gpu, f"`{lab}`", gpu.of(kind, lab)) for lab in labs if gpu.of(kind, lab)]
    lines.append(_line(gpu, "all", gpu.of(kind)))
    head = ["kernels", "times", "mean", "median", "90 %", "in interval", "abstains"]
    return table([f"{title}, {gpu.short_name}", *head], lines)


def _line(gpu: Measured, label: str, rows: Sequence[Row]) -> list[str]:
    one = gpu.summary(rows)
    if one is None:
        return [label, "", "0", "", "", "", "", str(len(rows))]
    return [
        label,
        str(one.kernels),
        str(one.estimates),
        precise(one.error),
        precise(one.median),
        precise(one.tenth),
        percent(one.covered),
        str(one.abstained),
    ]

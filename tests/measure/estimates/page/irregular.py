"""Irregular programs, whose kernels run with the data that they find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import tables
from kernels import RESULTS
from page.words import percent, precise, section, table, wrapped
from statistic import mean, quantile

_MEASURED = RESULTS / "nvidia_h100_irregular.csv"
_ON_H200 = RESULTS / "nvidia_h200_irregular.csv"
_ESTIMATED_ON_H200 = RESULTS / "nvidia_h200_irregular_estimates.csv"
_ESTIMATED = RESULTS / "nvidia_h100_irregular_estimates.csv"
_FIRST_LOOK = RESULTS / "nvidia_h100_irregular_first_look.csv"
_HEAD = ["programs", "estimated", "mean", "median", "90 %", "in interval"]

Estimates = Mapping[str, tables.Row]


def text() -> str:
    measured = tables.read(_MEASURED)
    on_h200 = tables.read(_ON_H200)
    now, now_on_h200 = _by_data(_ESTIMATED), _by_data(_ESTIMATED_ON_H200)
    compared = [
        ("at the first look", measured, _by_data(_FIRST_LOOK)["recorded"]),
        ("now", measured, now["recorded"]),
        ("with made-up data", measured, now["made up"]),
        ("on an H200", on_h200, now_on_h200["recorded"]),
    ]
    return section(
        "Irregular programs",
        wrapped(_ABOUT.format(programs=len(measured.rows))),
        wrapped(_REPAIRS),
        *(_by_class(times, found, title) for title, times, found in compared),
        wrapped(
            "*mean*, *median*, *90 %*: of the errors, and what nine in ten do not exceed. A "
            "program counts once, with the first launch of its kernel. ✗ marks a time outside of "
            "the interval."
        ),
        _abstentions(now),
        _each(measured, now["recorded"], on_h200, now_on_h200["recorded"]),
    )


def _by_data(path: Path) -> dict[str, Estimates]:
    """The estimates with each kind of data, by program."""
    found: dict[str, dict[str, tables.Row]] = {data: {} for data in _DATA}
    for row in tables.rows(path):
        found[row["data"]][row["program"]] = row
    return dict(found)


_DATA = ("recorded", "made up")

_ABOUT = """
{programs} programs with a `main()` were written to be hard to estimate: they gather, diverge, work
in local memory, wait for each other, or update words that data choose. Somebody who did not work on
the model chose, wrote and timed them, on an H100, before any of them was estimated.
`./tilelab measure estimates/irregular` timed them on an H200 since then, and
`./tilelab measure estimates/heldout` estimates them as `./tilelab estimate` does: the blocks that
are executed get the data that the launch found when the program ran on the emulator. The first
table is the first look, with the model as it was. The third has the same programs without these
data: an estimate abstains where it notices that something depends on them. The last has the times
of an H200.
"""

_REPAIRS = """
After the first look, two mistakes in how machine code is read were repaired, and nothing in the
model: the address of a compare-and-swap has 64 bits, which nvdisasm leaves out, and `MUFU.RCP64H`
may have a number as its operand, which is a double. Before that, `ode_adaptive` was estimated to
take 56 times as long, because a division by a constant was wrong and its loop did not end, and
three programs had no estimate for a wrong reason.
"""


def _by_class(measured: tables.Table, found: Estimates, title: str) -> str:
    classes = [*measured.by("class").items(), ("all", list(measured.rows))]
    lines = [
        [f"`{name}`" if name != "all" else name, *_cells(rows, found)] for name, rows in classes
    ]
    return table([title, *_HEAD], lines)


def _cells(rows: Sequence[tables.Row], found: Estimates) -> list[str]:
    known = [(row, found[row["program"]]) for row in rows if _is_known(row, found)]
    counts = [str(len(rows)), str(len(known))]
    if not known:
        return [*counts, "", "", "", ""]
    errors = [_error(row, one) for row, one in known]
    covered = mean([float(_holds(row, one)) for row, one in known])
    return [
        *counts,
        precise(mean(errors)),
        precise(quantile(errors, 0.5)),
        precise(quantile(errors, 0.9)),
        percent(covered),
    ]


def _is_known(row: tables.Row, found: Estimates) -> bool:
    return bool(found.get(row["program"], {}).get("milliseconds"))


def _error(row: tables.Row, one: tables.Row) -> float:
    return abs(float(one["milliseconds"]) / float(row["milliseconds"]) - 1)


def _holds(row: tables.Row, one: tables.Row) -> bool:
    return float(one["least"]) <= float(row["milliseconds"]) <= float(one["most"])


def _abstentions(by_data: Mapping[str, Estimates]) -> str:
    counted = {
        data: Counter(one["abstained"] for one in found.values() if one["abstained"])
        for data, found in by_data.items()
    }
    total = sum(counted.values(), Counter())
    lines = [
        [reason, *(str(counted[data][reason]) for data in _DATA)]
        for reason, _ in total.most_common()
    ]
    return table(["why there is no estimate", *_DATA], lines)


def _each(
    measured: tables.Table, found: Estimates, others: tables.Table, found_for_others: Estimates
) -> str:
    lines = [
        [*_line(row, found.get(row["program"], {})), *_other(other, found_for_others)]
        for row, other in zip(measured.rows, others.rows, strict=True)
    ]
    head = ["program", "class", "H100", "estimate", "interval", "off by", "H200", "off by"]
    return table(head, lines, 2)


def _other(row: tables.Row, found: Estimates) -> list[str]:
    measured = f"{float(row['milliseconds']):.3g} ms"
    if not _is_known(row, found):
        return [measured, ""]
    one = found[row["program"]]
    return [measured, _off(row, one) + ("" if _holds(row, one) else " ✗")]


def _line(row: tables.Row, one: tables.Row) -> list[str]:
    measured = float(row["milliseconds"])
    begin = [f"`{row['program']}`", f"`{row['class']}`", f"{measured:.3g} ms"]
    if not one.get("milliseconds"):
        return [*begin, "none", "", ""]
    interval = f"{float(one['least']):.3g} to {float(one['most']):.3g} ms"
    mark = "" if _holds(row, one) else " ✗"
    return [*begin, f"{float(one['milliseconds']):.3g} ms", interval + mark, _off(row, one)]


def _off(row: tables.Row, one: tables.Row) -> str:
    off = float(one["milliseconds"]) / float(row["milliseconds"]) - 1
    return f"{100 * off:+.0f} %"

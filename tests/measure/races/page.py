"""The page on suites of others."""

from __future__ import annotations

from collections.abc import Sequence

import tables
from tables import Row, Table, filled, line

_RACE = "Data race"

# Published for the same programs: a table of HiRace's paper (SC'24), as its artifact draws it.
_OTHERS = {
    ("Indigo", "DAG_100n_200e"): "HiRace 346, iGUARD 298, compute-sanitizer 92",
    ("Indigo", "DAG_200n_400e"): "HiRace 346, iGUARD 298, compute-sanitizer 92",
    ("Indigo", "DAG_5n_5e"): "HiRace 182, iGUARD 118, compute-sanitizer 92",
    ("Indigo", "counterDAG_200n_1000e"): "HiRace 346, iGUARD 298, compute-sanitizer 56",
    ("Indigo", "counterDAG_5n_5e"): "HiRace 295, iGUARD 148, compute-sanitizer 92",
    ("Indigo", "power_law_200n_1000e"): "HiRace 346, iGUARD 297, compute-sanitizer 128",
}

_HEAD = """\
# Data races in the suites of others

Each suite has kernels with and without a data race, and says itself which is which. The checked
build ran each program once per input. `./tilelab measure races/elsewhere` fetches the suites and
writes this page.

- *Indigo*: 590 graph kernels with planted bugs, six graphs, 1,024 blocks of 256 threads, from the
  artifact of HiRace (JohnJacobsonIII/HiRace-Artifact-SC24, SC'24). Whether a planted bug races
  depends on the graph: in one of five vertices, most threads have nothing to do.
- *ScoR*: 32 small kernels about scopes, fences and locks (csl-iisc/ScoR, ISCA'20).
- *GPUVerify*: the kernels of its test suite that pass, and those that name a race
  (mc-imperial/gpuverify). They have no `main()`, so one is generated. Arrays hold zeros and numbers
  are 64: a race that needs other values does not happen.

"""

_COLUMNS = ("suite", "input", "racy kernels", "found", "missed", "clean", "false", "not run")


def page(table: Table) -> str:
    text = _HEAD + line(*_COLUMNS, "published: found") + "\n"
    text += line("---", "---", *["---:"] * 6, "---") + "\n"
    for (suite, given), rows in _grouped(table.rows).items():
        text += line(suite, given, *_counts(rows), _OTHERS.get((suite, given), "")) + "\n"
    for title, wanted in (("Missed", _is_missed), ("False alarms", _is_false)):
        names = sorted({f"`{row['program']}`" for row in table.rows if wanted(row)})
        text += f"\n{filled(f'{title}: ' + (', '.join(names) or 'none') + '.')}\n"
    return text + f"\n- machine: {table.facts['machine']}\n"


def _grouped(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["suite"], row["input"]), []).append(row)
    return found


def _counts(rows: Sequence[Row]) -> tuple[int, ...]:
    ran = [row for row in rows if row["ending"] != "does not compile"]
    racy = [row for row in ran if row["racy"] == "yes"]
    return (
        len(racy),
        sum(_has_race(row) for row in racy),
        sum(_is_missed(row) for row in racy),
        len(ran) - len(racy),
        sum(map(_is_false, ran)),
        len(rows) - len(ran),
    )


def _has_race(row: Row) -> bool:
    return _RACE in row["found"].split("; ")


def _is_missed(row: Row) -> bool:
    return row["racy"] == "yes" and row["ending"] != "does not compile" and not _has_race(row)


def _is_false(row: Row) -> bool:
    return row["racy"] == "no" and _has_race(row)

"""The page on suites of others."""

from __future__ import annotations

from collections.abc import Sequence

from tables import Row, Table, filled, line

# What became of a program with one input, in the table's column `results`.
RACE, OUT_OF_BOUNDS, OUT_OF_TIME, NO_RACE, NOT_COMPILED = "RBT-X"

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
build ran each program once per input. `./tilelab measure races_elsewhere` fetches the suites and
writes this page.

- *Indigo*: 590 graph kernels with planted bugs, six graphs, 1,024 blocks of 256 threads, from the
  artifact of HiRace (JohnJacobsonIII/HiRace-Artifact-SC24, SC'24). Whether a planted bug races
  depends on the graph: in one of five vertices, most threads have nothing to do.
- *ScoR*: 32 small kernels about scopes, fences and locks (csl-iisc/ScoR, ISCA'20).
- *GPUVerify*: the kernels of its test suite that pass, and those that name a race
  (mc-imperial/gpuverify). They have no `main()`, so one is generated. Arrays hold zeros and numbers
  are 64: a race that needs other values does not happen.

"""

_REASONS = """
- A kernel that *ended before* has a bug in its bounds as well, and read outside of an array before
  a race was found. The checked build ends a launch there.
- In Indigo's graphs of five vertices hardly any two threads meet in one word, so many planted races
  cannot show. HiRace does not find them all there either. Nobody has looked at each of them.
- `loop_unwind` writes only to a shared array that nobody reads. The false alarms are kernels that
  are right only if a warp runs in lockstep, which GPUs since Volta do not promise.
"""

_COLUMNS = (
    "suite",
    "input",
    "racy kernels",
    "found",
    "ended before",
    "not found",
    "clean",
    "false",
    "not compiled",
)


def page(table: Table) -> str:
    text = _HEAD + line(*_COLUMNS, "published: found") + "\n"
    text += line("---", "---", *["---:"] * 7, "---") + "\n"
    for suite, rows in table.by("suite").items():
        for index, given in enumerate(table.facts[f"inputs of {suite}"].split()):
            published = _OTHERS.get((suite, given), "")
            text += line(suite, given, *_counts(rows, index), published) + "\n"
    for suite, rows in table.by("suite").items():
        if suite != "Indigo":
            text += _names(f"Not found in {suite}", rows, "yes", NO_RACE)
            text += _names(f"False alarms in {suite}", rows, "no", RACE)
    return text + _REASONS + f"\n- machine: {table.facts['machine']}\n"


def _counts(rows: Sequence[Row], index: int) -> tuple[int, ...]:
    ran = [
        (row["racy"], row["results"][index]) for row in rows if NOT_COMPILED not in row["results"]
    ]
    racy = [result for racy, result in ran if racy == "yes"]
    clean = [result for racy, result in ran if racy == "no"]
    return (
        len(racy),
        racy.count(RACE),
        racy.count(OUT_OF_BOUNDS),
        racy.count(NO_RACE) + racy.count(OUT_OF_TIME),
        len(clean),
        clean.count(RACE),
        len(rows) - len(ran),
    )


def _names(title: str, rows: Sequence[Row], racy: str, result: str) -> str:
    names = [
        f"`{row['program']}`" for row in rows if (row["racy"], row["results"]) == (racy, result)
    ]
    return f"\n{filled(f'{title}: ' + ', '.join(names) + '.')}\n" if names else ""

"""Grades the speed of the same files again and again.

    ./tilelab measure agreement [--times 10] [--beside-load 3] [LAB...]

It grades each lab's reference solution, its baseline, and a ladder step halfway between them, on
this machine's GPU. With --beside-load it does so again while another process uses the GPU. The rows
of a lab take the place of its earlier ones in docs/results/agreement_GPU.csv. The page of it says
how the grades agree.
"""

from __future__ import annotations

import datetime
import secrets
import statistics
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import tables
from gpu_load import Load, LoadEnded
from tables import Row, Table
from tilelab.backends import nvidia
from tilelab.base.errors import InfraError
from tilelab.base.repository import REPO
from tilelab.bench import results_file
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.model.result import CriterionResult
from tilelab.pipeline.evidence import speed
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.score import scoring

HEAD = """\
# How closely repeated grades of speed agree

Each file was graded several times on one GPU, each time with other inputs. Points are those of the
criterion speed; the speedup is over the baseline, which is measured again for each grade. A spread
is the greatest value minus the least: of points as a share of the maximum, of speedups as a share
of their median. Seconds are the median over the grades; each file was compiled once.

Where a second table stands, the files were also graded beside a load: another process that copies
memory and runs multiply-adds in bursts of 10 ms to 1 s, with pauses of 3 ms to 1 s. A grade is *the
same* if its points differ by at most 2% of the maximum from the median of those that the file gets
alone; at the edge of full points, that may be a pass or partial. An *inconclusive* grade is not a
verdict: it has no points, and says that nothing else should use the GPU. Anything else is *wrong*.

`./tilelab measure agreement --beside-load 3` measures this, and writes a CSV file of the page's
name.
"""

ALONE = """\
| alone | verdicts | points | spread | speedup | spread | seconds |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
"""

BESIDE = """\
| beside a load | the same | inconclusive | wrong | verdicts | points | speedup | seconds |
| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |
"""

VERDICTS = ("pass", "partial", "fail")

# How far two grades of the same file may differ, as a share of the maximum.
MOST_APART = 0.02

Compared = Literal["same", "inconclusive", "wrong"]
COMPARED: tuple[Compared, ...] = get_args(Compared)


@dataclass(frozen=True)
class Grade:
    """One grade of a file's speed. `speedup` is None if it was not measured."""

    status: str
    points: float
    max: float
    speedup: float | None = None
    seconds: float = 0.0


def halfway(one: Lab) -> Path:
    """A ladder step that is faster than the baseline and slower than the reference."""
    return one.ladder[len(one.ladder) // 3]


def grade(path: Path, one: Lab, tool: Toolchain) -> Grade:
    begin = time.monotonic()
    (criterion,) = (criterion for criterion in one.criteria if criterion.curve)
    try:
        timed = speed.grade_own(path, one, tool, secrets.randbits(63))
    except InfraError as error:
        print(f"{path.name}: {error}", flush=True)
        return Grade("infra_error", 0.0, criterion.points, None, time.monotonic() - begin)
    result = timed.result
    status = "inconclusive" if _is_inconclusive(result) else result.status
    seconds = time.monotonic() - begin
    return Grade(status, result.points, result.max, timed.speedup, seconds)


def _is_inconclusive(result: CriterionResult) -> bool:
    return result.status == "not_run" and result.messages[0].startswith(scoring.INCONCLUSIVE)


def compared(one: Grade, usual: float) -> Compared:
    """A row of grades under load, compared with the points that the file gets alone."""
    if one.status == "inconclusive":
        return "inconclusive"
    is_near = abs(one.points - usual) <= MOST_APART * one.max
    return "same" if one.status in VERDICTS and is_near else "wrong"


def _earned(grades: Sequence[Grade]) -> list[float]:
    """The points of the grades that are verdicts. The others have no points, rather than 0."""
    return [one.points for one in grades if one.status in VERDICTS]


def row(path: Path, grades: Sequence[Grade], usual: float | None = None) -> dict[str, str]:
    """A row of the CSV file. Grades beside a load have the points that the file gets alone."""
    speedups = [one.speedup for one in grades if one.speedup is not None]
    statuses = Counter(one.status for one in grades)
    counts = dict.fromkeys(COMPARED, "")
    if usual is not None:
        found = Counter(compared(one, usual) for one in grades)
        counts = {name: str(found[name]) for name in COMPARED}
    return {
        "file": str(path.relative_to(REPO)),
        "beside": "nothing" if usual is None else "a load",
        "times": str(len(grades)),
        **counts,
        "verdicts": ", ".join(f"{count} x {status}" for status, count in statuses.items()),
        **_range("points", _earned(grades), grades[0].max),
        "points_of": f"{grades[0].max:g}",
        **_range("speedup", speedups, statistics.median(speedups or [1])),
        "seconds": f"{statistics.median(one.seconds for one in grades):.0f}",
    }


def _range(what: str, values: Sequence[float], whole: float) -> dict[str, str]:
    """The least, the greatest, and how far they are apart as a share of the whole."""
    cells = [""] * 3
    if values:
        spread = (max(values) - min(values)) / whole
        cells = [f"{min(values):.2f}", f"{max(values):.2f}", f"{100 * spread:.1f}"]
    names = (f"{what}_least", f"{what}_most", f"{what}_spread_percent")
    return dict(zip(names, cells, strict=True))


def line_alone(row: Row) -> str:
    cells = [f"`{row['file']}`", row["verdicts"]]
    cells += [_points(row), _spread(row, "points"), _from_to(row, "speedup")]
    return tables.line(*cells, _spread(row, "speedup"), row["seconds"])


def line_beside(row: Row) -> str:
    cells = [f"`{row['file']}`", *(row[name] for name in COMPARED), row["verdicts"]]
    return tables.line(*cells, _points(row), _from_to(row, "speedup"), row["seconds"])


def _from_to(row: Row, what: str) -> str:
    least = row[f"{what}_least"]
    return f"{least} to {row[f'{what}_most']}" if least else ""


def _points(row: Row) -> str:
    earned = _from_to(row, "points")
    return f"{earned} of {row['points_of']}" if earned else ""


def _spread(row: Row, what: str) -> str:
    spread = row[f"{what}_spread_percent"]
    return f"{spread}%" if spread else ""


def page(table: Table) -> str:
    sections = (section(lab, rows) for lab, rows in sorted(table.by("lab").items()))
    return "\n".join([HEAD, *sections])


def section(lab: str, rows: Sequence[Row]) -> str:
    alone = [row for row in rows if row["beside"] == "nothing"]
    beside = [row for row in rows if row["beside"] != "nothing"]
    parts = [f"## {lab}", ALONE + "\n".join(map(line_alone, alone))]
    if beside:
        parts.append(BESIDE + "\n".join(map(line_beside, beside)))
    times = f"{alone[0]['times']} times each alone, {beside[0]['times'] if beside else 0}"
    made = f"{times} beside a load; {rows[0]['machine']}, {rows[0]['date']}."
    return "\n\n".join([*parts, made]) + "\n"


@dataclass(frozen=True)
class Results:
    """The path of docs/results/agreement_GPU.csv, and what each new row says of its origin."""

    path: Path
    origin: Mapping[str, str]

    def write(self, lab: str, rows: Sequence[Row]) -> None:
        """The rows of a lab that have been measured so far. Those of other labs stay."""
        others = [row for row in tables.rows(self.path) if row["lab"] != lab]
        new = [{"lab": lab, **row, **self.origin} for row in rows]
        tables.publish(self.path, Table({}, [*others, *new]), page)
        print(rows[-1], flush=True)


def measure(one: Lab, tool: Toolchain, times: int, loaded: int, into: Results) -> None:
    rows: list[Row] = []
    usual: dict[Path, float] = {}
    for path in (one.reference, one.baseline, halfway(one)):
        grades = [grade(path, one, tool) for _ in range(times)]
        if earned := _earned(grades):
            usual[path] = statistics.median(earned)
        rows.append(row(path, grades))
        into.write(one.name, rows)
    if loaded == 0:
        return
    with Load() as load:
        for path, points in usual.items():
            grades = [grade(path, one, tool) for _ in range(loaded)]
            load.assert_running()
            rows.append(row(path, grades, points))
            into.write(one.name, rows)


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("--times", type=int, default=10, help="how often each file is graded alone")
    parser.add_argument(
        "--beside-load", type=int, default=0, help="how often each is graded again under load"
    )
    parser.add_argument("labs", nargs="*", metavar="LAB")
    options = parser.parse_args()
    gpu = nvidia.gpu()
    if gpu is None:
        sys.exit("agreement.py: this machine has no NVIDIA GPU")
    tool = toolchain.prepare("cuda")
    results = Results(
        tables.RESULTS / f"agreement_{results_file.slug(gpu.name)}.csv",
        {
            "machine": f"{gpu.name}, driver {gpu.driver}, {tool.compiler}",
            "date": datetime.date.today().isoformat(),
        },
    )
    timed = [one for one in map(lab.load, options.labs or lab.all_labs()) if one.is_timed]
    for one in timed:
        try:
            measure(one, tool, options.times, options.beside_load, results)
        except LoadEnded as error:
            sys.exit(f"agreement.py: {error}")


if __name__ == "__main__":
    main()

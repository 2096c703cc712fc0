#!/usr/bin/env python3
"""Grades the speed of the same files again and again on this GPU, and writes how the grades agree.

    python3 tests/measure/agreement/agreement.py [--times 10] [--beside-load 3] [LAB...]

It grades each lab's reference solution, its baseline, and a ladder step halfway between them. With
--beside-load it does so again while another process uses the GPU. It writes the section of each lab
in docs/results/agreement_GPU.md, row by row.
"""

from __future__ import annotations

import argparse
import datetime
import secrets
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

REPO = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPO / "grading"))

from gpu_load import Load, LoadEnded  # noqa: E402
from tilelab.backends import nvidia  # noqa: E402
from tilelab.base.errors import InfraError  # noqa: E402
from tilelab.base.files import write_atomically  # noqa: E402
from tilelab.bench import results_file  # noqa: E402
from tilelab.pipeline import speed, toolchain  # noqa: E402
from tilelab.score import lab, records, scoring  # noqa: E402
from tilelab.score.lab import Lab  # noqa: E402

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

`python3 tests/measure/agreement/agreement.py --beside-load 3` measures this.
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


def grade(path: Path, one: Lab, tool: toolchain.Toolchain) -> Grade:
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


def _is_inconclusive(result: records.CriterionResult) -> bool:
    return result.status == "not_run" and result.messages[0].startswith(scoring.INCONCLUSIVE)


def compared(one: Grade, usual: float) -> Compared:
    """A row of grades under load, compared with the points that the file gets alone."""
    if one.status == "inconclusive":
        return "inconclusive"
    is_near = abs(one.points - usual) <= MOST_APART * one.max
    return "same" if one.status in VERDICTS and is_near else "wrong"


def row_alone(path: Path, grades: Sequence[Grade]) -> str:
    speedups = _speedups(grades)
    cells = [_name(path), _verdicts(grades)]
    cells += [_points(grades), _spread(_earned(grades), grades[0].max)]
    cells += [_range(speedups), _spread(speedups, statistics.median(speedups or [1]))]
    return _row([*cells, _seconds(grades)])


def row_beside(path: Path, grades: Sequence[Grade], usual: float) -> str:
    found = Counter(compared(one, usual) for one in grades)
    cells = [_name(path), *(str(found[one]) for one in ("same", "inconclusive", "wrong"))]
    cells += [_verdicts(grades), _points(grades), _range(_speedups(grades)), _seconds(grades)]
    return _row(cells)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _name(path: Path) -> str:
    return f"`{path.relative_to(REPO)}`"


def _verdicts(grades: Sequence[Grade]) -> str:
    found = Counter(one.status for one in grades)
    return ", ".join(f"{count} x {status}" for status, count in found.items())


def _earned(grades: Sequence[Grade]) -> list[float]:
    """The points of the grades that are verdicts. The others have no points, rather than 0."""
    return [one.points for one in grades if one.status in VERDICTS]


def _points(grades: Sequence[Grade]) -> str:
    earned = _earned(grades)
    return f"{_range(earned)} of {grades[0].max:g}" if earned else ""


def _speedups(grades: Sequence[Grade]) -> list[float]:
    return [one.speedup for one in grades if one.speedup is not None]


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else ""


def _spread(values: Sequence[float], whole: float) -> str:
    return f"{(max(values) - min(values)) / whole:.1%}" if values else ""


def _seconds(grades: Sequence[Grade]) -> str:
    return f"{statistics.median(one.seconds for one in grades):.0f}"


def section(name: str, alone: Sequence[str], beside: Sequence[str], measured_on: str) -> str:
    tables = [ALONE + "\n".join(alone)]
    if beside:
        tables.append(BESIDE + "\n".join(beside))
    return "\n\n".join([f"## {name}", *tables, measured_on]) + "\n"


def with_section(page: str, name: str, text: str) -> str:
    """The page with this lab's section replaced, and the others unchanged."""
    _, *sections = page.split("\n## ")
    kept = {one.partition("\n")[0]: f"## {one.rstrip()}\n" for one in sections}
    kept[name] = text
    return "\n".join([HEAD, *(kept[key] for key in sorted(kept))])


@dataclass(frozen=True)
class Page:
    """The path of docs/results/agreement_GPU.md."""

    path: Path
    measured_on: str

    def write(self, name: str, alone: Sequence[str], beside: Sequence[str]) -> None:
        """The rows of a lab that have been measured so far."""
        page = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        text = section(name, alone, beside, self.measured_on)
        write_atomically(self.path, with_section(page, name, text))
        print((beside or alone)[-1], flush=True)


def measure(one: Lab, tool: toolchain.Toolchain, times: int, loaded: int, page: Page) -> None:
    alone: list[str] = []
    beside: list[str] = []
    usual: dict[Path, float] = {}
    for path in (one.reference, one.baseline, halfway(one)):
        grades = [grade(path, one, tool) for _ in range(times)]
        if earned := _earned(grades):
            usual[path] = statistics.median(earned)
        alone.append(row_alone(path, grades))
        page.write(one.name, alone, beside)
    if loaded == 0:
        return
    with Load() as load:
        for path, points in usual.items():
            grades = [grade(path, one, tool) for _ in range(loaded)]
            load.assert_running()
            beside.append(row_beside(path, grades, points))
            page.write(one.name, alone, beside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
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
    today = datetime.date.today().isoformat()
    page = Page(
        results_file.RESULTS / f"agreement_{results_file.slug(gpu.name)}.md",
        f"{options.times} times each alone, {options.beside_load} beside a load; {gpu.name}, "
        f"driver {gpu.driver}, {tool.compiler}, {today}.",
    )
    timed = [one for one in map(lab.load, options.labs or lab.all_labs()) if one.is_timed]
    for one in timed:
        try:
            measure(one, tool, options.times, options.beside_load, page)
        except LoadEnded as error:
            sys.exit(f"agreement.py: {error}")
    print(f"Wrote {page.path}")


if __name__ == "__main__":
    main()

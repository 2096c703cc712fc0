#!/usr/bin/env python3
"""Grades the speed of the same files again and again on this GPU, and writes how far it agrees.

    python3 docs/results/agreement.py [--times 10] [LAB...]

For each lab the reference solution, the baseline, and a step of the ladder half-way between them.
Writes docs/results/agreement_GPU.md.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "grading"))

from tilelab import bench, lab, machine, submission, toolchain  # noqa: E402
from tilelab.lab import Lab  # noqa: E402
from tilelab.records import CriterionResult  # noqa: E402
from tilelab.submission import Session  # noqa: E402

HEAD = """\
# How far repeated grades of speed agree

Each file was graded {times} times on one GPU, each time with other inputs. Points are those of the
criterion speed; the spread is the greatest less the least, as a share of the maximum.
`python3 docs/results/agreement.py` measures this.

| lab | file | verdicts | points | spread |
| --- | --- | --- | ---: | ---: |
"""


def speed_alone(one: Lab) -> Lab:
    """The lab with no criterion but speed."""
    (speed,) = (criterion for criterion in one.criteria if criterion.curve)
    return dataclasses.replace(one, criteria=(dataclasses.replace(speed, after=()),))


def halfway(one: Lab) -> Path:
    """A step of the ladder that is better than the baseline, and not yet the reference."""
    return one.ladder[len(one.ladder) // 3]


def grade(path: Path, one: Lab, tool: toolchain.Toolchain) -> CriterionResult:
    return submission.grade(path, one, Session([tool], secrets.randbits(63))).criteria[0]


def row(one: Lab, path: Path, results: Sequence[CriterionResult]) -> str:
    verdicts = ", ".join(
        f"{sum(result.status == status for result in results)} x {status}"
        for status in dict.fromkeys(result.status for result in results)
    )
    earned = [result.points for result in results]
    spread = 100 * (max(earned) - min(earned)) / results[0].max
    points = f"{min(earned):.2f} to {max(earned):.2f} of {results[0].max:g}"
    return f"| {one.name} | `{path.relative_to(REPO)}` | {verdicts} | {points} | {spread:.1f}% |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("labs", nargs="*", metavar="LAB")
    options = parser.parse_args()
    gpu = machine.gpu()
    if gpu is None:
        sys.exit("agreement.py: this machine shows no NVIDIA GPU")
    tool = toolchain.prepare("cuda")
    lines = [HEAD.format(times=options.times).rstrip("\n")]
    for name in options.labs or lab.all_labs():
        one = lab.load(name)
        for path in (one.reference, one.baseline, halfway(one)):
            alone = speed_alone(one)
            results = [grade(path, alone, tool) for _ in range(options.times)]
            lines.append(row(one, path, results))
            print(lines[-1], flush=True)
    today = datetime.date.today().isoformat()
    lines += ["", f"{gpu.name}, driver {gpu.driver}, {tool.compiler}, {today}.", ""]
    path = bench.RESULTS / f"agreement_{bench.slug(gpu.name)}.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    print(f"Wrote {path}")


if __name__ == "__main__":
    main()

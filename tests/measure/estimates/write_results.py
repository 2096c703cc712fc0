#!/usr/bin/env python3
"""Compares estimated times with measured ones, and writes docs/results/estimates.md.

    python3 tests/measure/estimates/write_results.py [--gpu nvidia_h200]

Reads what measure.py, counters.py and estimate.py left in docs/results/estimates.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import limiters  # noqa: E402
import results  # noqa: E402
from kernels import CALLS, REPO, RESULTS, kernels  # noqa: E402
from results import Named, Row, Summary  # noqa: E402
from statistic import mean  # noqa: E402
from tilelab.base.files import write_atomically  # noqa: E402

PAGE = REPO / "docs" / "results" / "estimates.md"
# The labs whose ladders, at their largest sizes, were looked at while the model was made.
SEEN = ("diff", "transpose", "nbody", "matmul", "histogram")
# Launches that take no longer than this show what a launch takes.
SHORT_LAUNCH_MILLISECONDS = 0.012
WORST = 10
# The columns' names for the groups of limiters.
SHORT = {
    limiters.BANDWIDTH: "throughput",
    limiters.LATENCY: "latency",
    limiters.L1: "L1",
    limiters.ISSUE: "issue",
    limiters.BARRIER: "barriers",
    limiters.OTHER: "other",
}
NO_LAUNCH = "it launches no kernel"

HEAD = """\
# How good the time estimates are

[An estimated time](../estimates.md) comes from a kernel's machine code and a
model of the GPU. This page compares it with the time that the GPU takes.

`python3 tests/measure/estimates/write_results.py` writes this page, for
{gpu}: {timed} kernels, which solve {problems} problems.

"""

HELD_OUT = """\
## What was held out

No parameter is fitted to a lab. A GPU's figures come from microbenchmarks, and
some from the literature. But whoever makes a model looks at kernels:

{seen}
- Nobody had looked at the other ladders' times by then, nor at those of the
  typical mistakes. They were estimated for the first time with the model of
  that day: the mean error was 13.6 % for the ladders and 21.4 % for the
  mistakes, half of them below 8.1 % and 10.6 %.
- That look led to repairs: atomics are charged by lanes, the sampled blocks are
  spread over all columns of a grid, `I2FP` is executed, and values that another
  launch computed are no longer confused with others. The figures here are those
  of the repaired model, so the mistakes are no longer held out.
- Two things are fitted to the ladders of all labs. What a launch costs is one
  number. For the interval around an estimate, this page leaves out the lab: it
  comes from the ladders of all others.

The error of an estimate is the difference to the measured time, as a share of
the measured time. Calls that take less than 5 µs are mostly launch. They have
a [section of their own](#short-calls), and no part in the other tables.

"""


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def precise(share: float) -> str:
    return f"{100 * share:.1f} %"


def wrapped(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 80, break_long_words=False, break_on_hyphens=False)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    rule = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, rule, *rows])


class Page:
    """What the page says, from the rows of a GPU."""

    def __init__(self, gpu: str) -> None:
        self.gpu = gpu
        self.all = results.read(gpu)
        self.without_launch = [row for row in self.all if row.reason == NO_LAUNCH]
        self.rows = [row for row in self.all if row.reason != NO_LAUNCH]
        self.long = [row for row in self.rows if not row.is_short]
        self.ladders = [row for row in self.long if row.kind == "ladder"]
        self.mistakes = [row for row in self.long if row.kind == "mistake"]
        self.labs = [lab for lab in CALLS if any(row.lab == lab for row in self.rows)]
        known = [row for row in self.ladders if row.estimated is not None]
        self.interval = results.interval(known)
        self.intervals = {
            lab: results.interval([row for row in known if row.lab != lab]) for lab in self.labs
        }
        every = [row for row in self.rows if row.kind == "ladder"]
        self.ranked = list(results.ranked(every))
        self.named = list(results.named(gpu, self.rows))

    def summary(self, rows: Sequence[Row]) -> Summary:
        made = results.summarize(rows, self.intervals)
        assert made is not None
        return made

    def text(self) -> str:
        named = (RESULTS / f"{self.gpu}.csv").read_text(encoding="utf-8").partition("\n")[0]
        timed = len({(row.lab, row.kernel, row.kind) for row in self.all})
        problems = len({(row.lab, row.problem) for row in self.all})
        parts = [
            HEAD.format(gpu=named.removeprefix("# "), timed=timed, problems=problems),
            self.aims(),
            HELD_OUT.format(seen=self.seen()),
            self.by_lab(),
            self.order(),
            self.intervals_text(),
            self.by_limiter(),
            self.limiters(),
            self.short(),
            self.abstentions(),
            self.worst(),
            self.open(),
        ]
        return "".join(parts).rstrip("\n") + "\n"

    def seen(self) -> str:
        labs = [f"`{lab}`" for lab in SEEN]
        return textwrap.fill(
            "- The model's structure, and the parameters `l1_line`, `l1_queue`, `l2_queue` and "
            f"`read_window`, were chosen with the ladders of {', '.join(labs[:-1])} and "
            f"{labs[-1]} in view, at their largest sizes.",
            80,
            subsequent_indent="  ",
        )

    def aims(self) -> str:
        ladders, mistakes = self.summary(self.ladders), self.summary(self.mistakes)
        good = sum(one.correlation >= 0.9 for one in self.ranked)
        agree = sum(one.counted == one.estimated for one in self.named)

        def both(name: str, is_met: tuple[bool, bool], cells: tuple[str, str]) -> list[str]:
            return [
                name,
                *(cell + ("" if met else " ✗") for met, cell in zip(is_met, cells, strict=True)),
            ]

        def absent(one: Summary) -> float:
            return one.abstained / (one.abstained + one.estimates)

        rows = [
            both(
                "mean error at most 15 %",
                (ladders.error <= 0.15, mistakes.error <= 0.15),
                (precise(ladders.error), precise(mistakes.error)),
            ),
            both(
                "the interval holds 85 to 95 %",
                (0.85 <= ladders.covered <= 0.95, 0.85 <= mistakes.covered <= 0.95),
                (percent(ladders.covered), percent(mistakes.covered)),
            ),
            both(
                "abstains for at most 15 %",
                (absent(ladders) <= 0.15, absent(mistakes) <= 0.15),
                (percent(absent(ladders)), percent(absent(mistakes))),
            ),
            both(
                "rank correlation of 0.9 in every ladder",
                (good == len(self.ranked), True),
                (f"in {good} of {len(self.ranked)}", ""),
            ),
            both(
                "limiter as Nsight Compute names it, 80 %",
                (agree >= 0.8 * len(self.named), True),
                (percent(agree / len(self.named)), ""),
            ),
        ]
        others = self.summary([row for row in self.ladders if row.lab not in SEEN])
        return (
            "## Aims\n\n"
            + table(["aim", "ladders", "mistakes"], rows)
            + "\n"
            + wrapped(
                "An ✗ marks an aim that is missed. Half of the errors are below "
                f"{precise(ladders.median)} for ladders and {precise(mistakes.median)} for "
                "mistakes, nine in ten below "
                f"{precise(ladders.tenth)} and {precise(mistakes.tenth)}: a few kernels, which "
                f"[are explained](#the-worst-ten), make up much of the mean. In the ladders that "
                f"nobody had looked at, the mean is {precise(others.error)}."
            )
            + "\n\n"
        )

    def by_lab(self) -> str:
        parts = ["## By lab\n\n"]
        for name, rows in (("ladder", self.ladders), ("mistakes", self.mistakes)):
            lines = [self._line(lab, [row for row in rows if row.lab == lab]) for lab in self.labs]
            if name == "ladder":
                seen = [row for row in rows if row.lab in SEEN]
                unseen = [row for row in rows if row.lab not in SEEN]
                lines += [self._line("looked at", seen), self._line("not looked at", unseen)]
            lines.append(self._line("all", rows))
            head = [name, "kernels", "times", "mean", "median", "90 %", "in interval", "abstains"]
            parts += [table(head, lines), "\n"]
        parts.append(
            wrapped(
                "*kernels*: files. *times*: calls at some size that were estimated. *mean*, "
                "*median*, *90 %*: of the errors, and what nine in ten do not exceed. "
                "*abstains*: calls without an estimate."
            )
            + "\n\n"
        )
        return "".join(parts)

    def _line(self, name: str, rows: Sequence[Row]) -> list[str]:
        one = self.summary(rows)
        label = f"`{name}`" if name in self.labs else name
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

    def order(self) -> str:
        lines = []
        for lab in self.labs:
            found = [one for one in self.ranked if one.lab == lab]
            at_most = max(found, key=lambda one: int(one.problem.split()[1]))
            worst = min(found, key=lambda one: one.correlation)
            lines.append(
                [
                    f"`{lab}`",
                    f"`{worst.problem}`",
                    str(len(found)),
                    f"{mean([one.correlation for one in found]):.2f}",
                    f"{worst.correlation:.2f}",
                    f"{at_most.correlation:.2f}",
                ]
            )
        head = ["ladder", "worst problem", "problems", "mean", "worst", "largest problem"]
        return (
            "## The order of a ladder's steps\n\n"
            + wrapped(
                "Spearman's rank correlation of estimated and measured times, of the steps of one "
                "ladder that solve one problem, those below 5 µs included. Where steps are within "
                "a few percent of each other, as the last four of `diff` are, their order is "
                "beyond an estimate."
            )
            + "\n\n"
            + table(head, lines, 2)
            + "\n"
        )

    def intervals_text(self) -> str:
        least = [one.least for one in self.intervals.values()]
        most = [one.most for one in self.intervals.values()]
        return (
            "## The interval\n\n"
            + wrapped(
                f"Nine in ten steps of all ladders take between {self.interval.least:.2f} and "
                f"{self.interval.most:.2f} times their estimate. Without one of the labs, the "
                f"first number is {min(least):.2f} to {max(least):.2f}, the second "
                f"{min(most):.2f} to {max(most):.2f}."
            )
            + "\n\n"
        )

    def by_limiter(self) -> str:
        lines = []
        for name in (*limiters.GROUPS, limiters.OTHER):
            rows = [row for row in self.long if row.limiter == name and row.estimated is not None]
            if not rows:
                continue
            one = self.summary(rows)
            bias = math.exp(mean([math.log(row.ratio) for row in rows]))
            lines.append(
                [
                    name,
                    str(one.estimates),
                    precise(one.error),
                    precise(one.median),
                    precise(one.tenth),
                    f"{bias:.2f}",
                ]
            )
        head = ["limited by", "times", "mean", "median", "90 %", "ratio"]
        return (
            "## By limiter\n\n"
            + wrapped(
                "Ladders and mistakes, by what limits the longest launch in the model. *ratio* is "
                "the geometric mean of estimated over measured."
            )
            + "\n\n"
            + table(head, lines)
            + "\n"
        )

    def limiters(self) -> str:
        counted = Counter((one.counted, one.estimated) for one in self.named)
        there = [name for name in (*limiters.GROUPS, limiters.OTHER) if self._is_named(name)]
        lines = [[one, *(str(counted[one, other]) for other in there)] for one in there]

        def share(rows: Sequence[Named]) -> str:
            return percent(sum(one.counted == one.estimated for one in rows) / len(rows))

        seen = [one for one in self.named if one.lab in SEEN]
        unseen = [one for one in self.named if one.lab not in SEEN]
        return (
            "## Limiters beside Nsight Compute's\n\n"
            + wrapped(
                "Both sides name limiters by one rule. If DRAM or the L2 cache is busy for at "
                "least 60 % of a launch, the limiter is their throughput. Otherwise it is what "
                "warps wait for most: `long_scoreboard` is memory latency; `lg_throttle`, "
                "`mio_throttle` and `short_scoreboard` are L1 and shared memory; "
                "`math_pipe_throttle`, `dispatch_stall` and `wait` are issue and pipes; `barrier` "
                f"are barriers; `drain` is throughput. {len(self.named)} calls of ladder steps "
                f"have counters, and of each its longest launch counts. {share(self.named)} agree: "
                f"{share(seen)} in the labs that were looked at, {share(unseen)} in the others."
            )
            + "\n\n"
            + table(["by Nsight Compute", *(SHORT[one] for one in there)], lines)
            + "\n"
            + wrapped(
                "They differ for three reasons, above all. Nsight Compute finds L2 twice as busy "
                "as the model does where a kernel streams from DRAM, which decides what is above "
                "60 %. The results of small problems, such as `derivatives` with 128 points along "
                "each side, stay in the L2 cache under Nsight Compute and go to DRAM in the model. "
                "And where warps wait about as long for two things, chance decides which is first."
            )
            + "\n"
            + "\n"
        )

    def _is_named(self, name: str) -> bool:
        return any(name in (one.counted, one.estimated) for one in self.named)

    def short(self) -> str:
        rows = [row for row in self.rows if row.is_short]
        one = self.summary(rows)
        overheads = {lab: self._launch(without=lab) for lab in self.labs}
        return (
            "## Short calls\n\n"
            + wrapped(
                f"{one.estimates} calls take less than 5 µs. The mean error of their estimates is "
                f"{precise(one.error)}, and the interval holds {percent(one.covered)} of them."
            )
            + "\n\n"
            + wrapped(
                "[Each launch](../estimates.md#how-an-estimate-is-made) is taken to cost the same "
                "beyond what its blocks take. In ladder steps whose launches take less than "
                f"{1e3 * SHORT_LAUNCH_MILLISECONDS:.0f} µs, the median of what is left is "
                f"{1e3 * self._launch():.2f} µs per launch, and without one of the labs "
                f"{1e3 * min(overheads.values()):.2f} to {1e3 * max(overheads.values()):.2f} µs. "
                "Setting memory to zero and copying take time, too, which is not estimated."
            )
            + "\n\n"
        )

    def _launch(self, without: str = "") -> float:
        """Milliseconds that a launch takes beyond its blocks, from the ladders of other labs."""
        left = [
            (row.measured - sum(row.launches)) / len(row.launches)
            for row in self.rows
            if row.kind == "ladder"
            and row.lab != without
            and row.estimated is not None
            and row.measured / len(row.launches) < SHORT_LAUNCH_MILLISECONDS
        ]
        return statistics.median(left)

    def abstentions(self) -> str:
        counted = Counter((row.reason, row.kind) for row in self.rows if row.estimated is None)
        reasons = dict.fromkeys(reason for (reason, _), _ in counted.most_common())
        lines = [
            [reason, str(counted[reason, "ladder"]), str(counted[reason, "mistake"])]
            for reason in reasons
        ]
        files = [one for one in kernels() if one.kind == "mistake"]
        timed = {(row.lab, row.kernel) for row in self.all if row.kind == "mistake"}
        left_out = len({(row.lab, row.kernel) for row in self.without_launch})
        return (
            "## Abstentions\n\n"
            + table(["reason", "ladders", "mistakes"], lines)
            + "\n"
            + wrapped(
                f"Of {len(files)} mistakes, {len(files) - len(timed)} have no time at any size: "
                "their launch fails, they crash, never end, take more than six seconds, or do "
                f"not compile. {left_out} launch nothing at some size, and are left out there."
            )
            + "\n\n"
        )

    def worst(self) -> str:
        known = [row for row in self.long if row.estimated is not None]
        known.sort(key=lambda row: -abs(math.log(row.ratio)))
        why = tomllib.loads((HERE / "explanations.toml").read_text(encoding="utf-8"))
        first: dict[str, Row] = {}
        for row in known:
            name = f"{row.lab}/{row.kernel}"
            first.setdefault(why.get(name, {}).get("like", name), row)
        parts = [
            "## The worst ten\n\n",
            wrapped(
                "The kernels whose estimates are off by the largest factor, each at its worst "
                "size. Of several that are wrong for one reason, the worst is named."
            ) + "\n\n",
        ]  # fmt: skip
        for i, (name, row) in enumerate(list(first.items())[:WORST], 1):
            estimated = row.estimated or 0
            said = why.get(name, {}).get("why", "Nobody knows why yet.")
            line = (
                f"{i}. `{row.lab}`, {'mistake ' if row.kind == 'mistake' else ''}`{row.kernel}`, "
                f"`{row.problem}`: {estimated:.4g} ms instead of {row.measured:.4g} ms. {said}"
            )
            indent = " " * (len(str(i)) + 2)
            parts.append(
                textwrap.fill(line, 80, subsequent_indent=indent, break_on_hyphens=False) + "\n"
            )
        return "".join(parts) + "\n"

    def open(self) -> str:
        return (
            "## What is not known\n\n"
            + wrapped(
                "One type of GPU was measured, an H200, so nothing here says how good estimates "
                "for another one are. All kernels are of this course: none is a program from "
                "elsewhere."
            )
            + "\n\n"
            + wrapped(
                "These times were taken with at most 24 sets of arrays, which calls took in turn. "
                "Where a call's arrays are smaller than 10 MiB, they were partly or wholly in the "
                "L2 cache, while the model has them come from DRAM. `timed.cu` now takes enough "
                "sets for 256 MiB in all cases."
            )
            + "\n"
        )

    def data(self) -> dict[str, object]:
        def by_lab(rows: Sequence[Row]) -> dict[str, object]:
            return {
                lab: asdict(self.summary([row for row in rows if row.lab == lab]))
                for lab in self.labs
            }

        agree = mean([float(one.counted == one.estimated) for one in self.named])
        return {
            "gpu": self.gpu,
            "interval": asdict(self.interval),
            "intervals_without": {lab: asdict(one) for lab, one in self.intervals.items()},
            "launch_milliseconds": self._launch(),
            "ladders": {"all": asdict(self.summary(self.ladders)), **by_lab(self.ladders)},
            "mistakes": {"all": asdict(self.summary(self.mistakes)), **by_lab(self.mistakes)},
            "below_5_us": asdict(self.summary([row for row in self.rows if row.is_short])),
            "rank_correlations": [asdict(one) for one in self.ranked],
            "limiters": {"calls": len(self.named), "agree": agree},
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpu", default="nvidia_h200", help="the name of its files")
    page = Page(parser.parse_args().gpu)
    write_atomically(PAGE, page.text())
    data = json.dumps(page.data(), indent=2) + "\n"
    write_atomically(RESULTS / "summary.json", data)
    print(f"Wrote {PAGE}")


if __name__ == "__main__":
    main()

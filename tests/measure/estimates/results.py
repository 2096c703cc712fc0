"""Estimates beside measured times."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import elsewhere
import limiters
import tables
from kernels import RESULTS
from statistic import mean, quantile, rank_correlation

# Below, most of the time is the launch.
LEAST_MILLISECONDS = 0.005
# What an interval leaves out at each end. The kernels of a lab are wrong together: an interval that
# holds nine in ten of a lab's has to hold more of the other labs', from which it is made.
OUTSIDE = 0.035
# Fewer kernels have no order to speak of.
_FEWEST_RANKED = 4
# Two steps whose times differ by this factor have an order that estimates should know.
APART = 1.1


@dataclass(frozen=True)
class Row:
    """A kernel that solves a problem. `estimated` is None if `reason` says why."""

    lab: str
    kernel: str
    kind: str
    problem: str
    measured: float
    estimated: float | None
    launches: tuple[float, ...]
    limiter: str
    reason: str

    @property
    def file(self) -> tuple[str, ...]:
        """What counts as a kernel: a file of the course, or a function from elsewhere."""
        function = self.problem.split()[0] if self.is_elsewhere else ""
        return (self.lab, self.kernel, self.kind, function)

    @property
    def is_elsewhere(self) -> bool:
        return self.kind in elsewhere.KINDS

    @property
    def ratio(self) -> float:
        assert self.estimated is not None
        return self.estimated / self.measured

    @property
    def error(self) -> float:
        return abs(self.ratio - 1)

    @property
    def is_short(self) -> bool:
        return self.measured < LEAST_MILLISECONDS


@dataclass(frozen=True)
class Interval:
    """Nine in ten kernels of a lab that it was not made with take between `least` and `most` times
    their estimate."""

    least: float
    most: float

    def holds(self, row: Row) -> bool:
        return self.least <= 1 / row.ratio <= self.most


def read_parts(gpu: str, what: str) -> list[tables.Row]:
    """The rows of the course's kernels, then those of kernels from elsewhere."""
    files = [RESULTS / f"{gpu}{part}{what}.csv" for part in ("", "_elsewhere")]
    return [row for file in files for row in tables.rows(file)]


def read(gpu: str) -> list[Row]:
    """All kernels that were both timed and estimated."""
    names = ("lab", "kernel", "kind", "problem")
    estimates = {tuple(row[name] for name in names): row for row in read_parts(gpu, "_estimates")}
    made = []
    for row in read_parts(gpu, ""):
        key = tuple(row[name] for name in names)
        if (found := estimates.get(key)) is None:
            continue
        made.append(
            Row(
                *key,
                float(row["milliseconds"]),
                float(found["milliseconds"]) if found["milliseconds"] else None,
                tuple(map(float, found["launches"].split())),
                _limiter(found) if found["stall"] else limiters.OTHER,
                found["abstained"],
            )
        )
    return made


def _limiter(found: dict[str, str]) -> str:
    return limiters.group(
        float(found["dram"]), float(found["l2"]), found["stall"], float(found["atomics"])
    )


def interval(rows: Sequence[Row]) -> Interval:
    """That of kernels whose estimates have errors like these."""
    factors = [1 / row.ratio for row in rows]
    return Interval(quantile(factors, OUTSIDE), quantile(factors, 1 - OUTSIDE))


@dataclass(frozen=True)
class Summary:
    """How good estimates are. Shares and errors are fractions; `covered` is that of the interval
    made without the kernel's lab. `least_rank` is the worst of the rank correlations."""

    kernels: int
    estimates: int
    abstained: int
    error: float
    median: float
    tenth: float
    covered: float


def summarize(rows: Sequence[Row], intervals: dict[str, Interval]) -> Summary | None:
    """None if there is no estimate."""
    known = [row for row in rows if row.estimated is not None]
    if not known:
        return None
    errors = [row.error for row in known]
    return Summary(
        kernels=len({row.file for row in rows}),
        estimates=len(known),
        abstained=len(rows) - len(known),
        error=mean(errors),
        median=quantile(errors, 0.5),
        tenth=quantile(errors, 0.9),
        covered=mean([float(intervals[row.lab].holds(row)) for row in known]),
    )


@dataclass(frozen=True)
class Ranked:
    """Spearman's rank correlation of a ladder's steps for one problem, and how many of the pairs
    of steps that are APART have estimates in the right order."""

    lab: str
    problem: str
    steps: int
    correlation: float
    pairs: int
    in_order: int


def ranked(rows: Sequence[Row]) -> Iterator[Ranked]:
    """The ladders' rank correlations, for each problem by itself."""
    for lab, problem in dict.fromkeys((row.lab, row.problem) for row in rows):
        steps = [
            row
            for row in rows
            if (row.lab, row.problem) == (lab, problem) and row.estimated is not None
        ]
        if len(steps) < _FEWEST_RANKED:
            continue
        estimated = [row.estimated or 0.0 for row in steps]
        measured = [row.measured for row in steps]
        apart = [
            (one, other)
            for one, other in itertools.permutations(steps, 2)
            if other.measured >= APART * one.measured
        ]
        in_order = sum((one.estimated or 0.0) < (other.estimated or 0.0) for one, other in apart)
        correlation = rank_correlation(estimated, measured)
        yield Ranked(lab, problem, len(steps), correlation, len(apart), in_order)


def gamma(found: Sequence[Ranked]) -> float:
    """Goodman and Kruskal's gamma of the pairs that are APART: 1 if all are in order."""
    pairs = sum(one.pairs for one in found)
    return 2 * sum(one.in_order for one in found) / pairs - 1


@dataclass(frozen=True)
class Named:
    """What limits a call: by Nsight Compute's counters and by the estimate, by the same rule.

    `accepted` are the groups of Nsight Compute's top stall and of the units that it finds busy.
    """

    lab: str
    kind: str
    counted: str
    accepted: frozenset[str]
    estimated: str

    @property
    def is_same(self) -> bool:
        return self.estimated == self.counted

    @property
    def is_right(self) -> bool:
        return self.estimated in self.accepted


def named(gpu: str, rows: Sequence[Row]) -> Iterator[Named]:
    """Of each call with counters, the limiter of its longest launch."""
    longest: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in read_parts(gpu, "_counters"):
        key = (row["lab"], row["kernel"], row["problem"])
        if key not in longest or number(row, "microseconds") > number(longest[key], "microseconds"):
            longest[key] = row
    for row in rows:
        found = longest.get((row.lab, row.kernel, row.problem))
        if row.kind == "mistake" or row.estimated is None or found is None:
            continue
        stall = limiters.top_stall({name: number(found, name) for name in STALLS})
        busy = {name: number(found, name) / 100 for name in ("dram", "l2", "l1", "issue")}
        yield Named(
            row.lab,
            row.kind,
            limiters.group(busy["dram"], busy["l2"], stall),
            frozenset({limiters.of_stall(stall), *limiters.busy_groups(busy)}),
            row.limiter,
        )


def number(row: dict[str, str], name: str) -> float:
    return float(row[name] or 0)


STALLS = (
    "long_scoreboard short_scoreboard barrier math_pipe_throttle mio_throttle lg_throttle wait "
    "dispatch_stall no_instruction branch_resolving drain membar imc_miss sleeping"
).split()

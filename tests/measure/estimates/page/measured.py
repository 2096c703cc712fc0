"""What was measured on a GPU, and estimated for it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import results
from kernels import CALLS, RESULTS
from results import Ranked, Row, Summary

NO_LAUNCH = "it launches no kernel"
# Launches that take no longer than this show what a launch takes.
SHORT_LAUNCH_MILLISECONDS = 0.012
KINDS = {
    "ladder": "ladders",
    "mistake": "mistakes",
    "elsewhere": "elsewhere",
    "held_out": "held out",
}


class Measured:
    """The rows of a GPU, and the intervals around their estimates.

    The interval of a lab of `fitted_to` is that of all its other labs. For everything else it is
    that of all of its labs, which has not seen what it is put around. Without `fitted_to`, a GPU is
    fitted to itself.
    """

    def __init__(self, slug: str, fitted_to: Measured | None = None) -> None:
        head = (RESULTS / f"{slug}.csv").read_text(encoding="utf-8").partition("\n")[0]
        self.slug = slug
        self.machine = head.removeprefix("# ")
        self.name = self.machine.partition(",")[0]
        self.short_name = self.name.removeprefix("NVIDIA ").partition(" ")[0]
        self.all = results.read(slug)
        self.without_launch = [row for row in self.all if row.reason == NO_LAUNCH]
        self.rows = [row for row in self.all if row.reason != NO_LAUNCH]
        self.long = [row for row in self.rows if not row.is_short]
        self.short = [row for row in self.rows if row.is_short]
        self.labs = [lab for lab in CALLS if any(row.lab == lab for row in self.rows)]
        self.collections = list(dict.fromkeys(row.lab for row in self.rows if row.is_elsewhere))
        held_out = dict.fromkeys(row.lab for row in self.rows if row.kind == "held_out")
        self.ranked = list(results.ranked(self.of("ladder")))
        self.named = list(results.named(slug, self.rows))
        known = [row for row in self.long if row.estimated is not None and not row.is_elsewhere]
        self.interval = fitted_to.interval if fitted_to else results.interval(known)
        self.intervals = dict.fromkeys([*self.labs, *self.collections, *held_out], self.interval)
        if fitted_to is None:
            for lab in self.labs:
                self.intervals[lab] = results.interval([row for row in known if row.lab != lab])

    def of(self, kind: str, lab: str = "") -> list[Row]:
        """Calls that are not short, of a lab or of all."""
        return [row for row in self.long if row.kind == kind and lab in ("", row.lab)]

    @property
    def ladders(self) -> dict[str, list[Ranked]]:
        """How the steps of each lab's ladder are ranked, for each problem."""
        return {
            lab: found
            for lab in self.labs
            if (found := [one for one in self.ranked if one.lab == lab])
        }

    def summary(self, rows: Sequence[Row]) -> Summary | None:
        return results.summarize(rows, self.intervals)

    def launch_milliseconds(self, without: str = "") -> float:
        """What a launch takes beyond its blocks, from the ladders of other labs."""
        left = [
            (row.measured - sum(row.launches)) / len(row.launches)
            for row in self.rows
            if row.kind == "ladder"
            and row.lab != without
            and row.estimated is not None
            and row.measured / len(row.launches) < SHORT_LAUNCH_MILLISECONDS
        ]
        return statistics.median(left)

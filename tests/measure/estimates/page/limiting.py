"""The errors by what limits a kernel, and whether Nsight Compute names the same."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import limiters
from page.measured import Measured
from page.words import listed, percent, precise, section, table, wrapped
from results import Named
from statistic import mean

# The columns' names for the groups of limiters.
_SHORT = {
    limiters.BANDWIDTH: "throughput",
    limiters.LATENCY: "latency",
    limiters.L1: "L1",
    limiters.ISSUE: "issue",
    limiters.BARRIER: "barriers",
    limiters.OTHER: "other",
}


def errors(gpus: Sequence[Measured]) -> str:
    return section(
        "By limiter",
        wrapped(
            "All kernels, by what limits the longest launch in the model. *ratio* is the geometric "
            "mean of estimated over measured."
        ),
        *(_errors(gpu) for gpu in gpus),
    )


def _errors(gpu: Measured) -> str:
    lines = []
    for name in _SHORT:
        rows = [row for row in gpu.long if row.limiter == name and row.estimated is not None]
        one = gpu.summary(rows)
        if one is None:
            continue
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
    head = ["times", "mean", "median", "90 %", "ratio"]
    return table([f"limited by, {gpu.short_name}", *head], lines)


def agreement(gpus: Sequence[Measured]) -> str:
    every = [one for gpu in gpus for one in gpu.named]
    there = [name for name in _SHORT if any(name in (one.counted, one.estimated) for one in every)]
    counted = Counter((one.counted, one.estimated) for one in every)
    lines = [[one, *(str(counted[one, other]) for other in there)] for one in there]
    shares = [
        f"{share(gpu.named)} of {len(gpu.named)} calls on an {gpu.short_name}"
        for gpu in gpus
        if gpu.named
    ]
    return section(
        "Limiters beside Nsight Compute's",
        wrapped(
            "If DRAM or the L2 cache is busy for at least 60 % of a launch, an estimate names "
            "their throughput as the limiter. If atomics take turns for as long, it names memory "
            "latency, because Nsight Compute knows no such unit and sees warps that wait for "
            "memory. That rule was made after the first look at programs held out. "
            "Otherwise it is what warps wait for most: "
            "`long_scoreboard` is memory latency; `lg_throttle`, `mio_throttle` and "
            "`short_scoreboard` are L1 and shared memory; `math_pipe_throttle`, `dispatch_stall` "
            "and `wait` are issue and pipes; `barrier` are barriers; `drain` is throughput. It is "
            "right if it names what Nsight Compute's top stall belongs to, or a unit that Nsight "
            f"Compute finds busy for 60 %. It is for {listed(shares)}. Of each call, its longest "
            "launch counts."
        ),
        wrapped(
            "The table is stricter: Nsight Compute's counters have to name one limiter, too, by "
            f"the same rule. {percent(mean([float(one.is_same) for one in every]))} agree."
        ),
        table(["by Nsight Compute", *(_SHORT[one] for one in there)], lines),
        wrapped(
            "They differ for three reasons, above all. Nsight Compute finds L2 twice as busy as "
            "the model does where a kernel streams from DRAM, which decides what is above 60 %. "
            "The results of small problems, such as `derivatives` with 128 points along each side, "
            "stay in the L2 cache under Nsight Compute and go to DRAM in the model. And where "
            "warps wait about as long for two things, chance decides which is first."
        ),
    )


def share(named: Sequence[Named]) -> str:
    return percent(mean([float(one.is_right) for one in named]))

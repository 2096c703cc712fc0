"""What whoever made the model had not seen."""

from __future__ import annotations

from collections.abc import Sequence

from page.measured import Measured
from page.words import item, listed, section, wrapped

# The labs whose ladders, at their largest sizes, were looked at while the model was made.
SEEN = ("diff", "transpose", "nbody", "matmul", "histogram")


def text(gpus: Sequence[Measured]) -> str:
    return section(
        "What was held out",
        wrapped(
            "No parameter is fitted to a lab. A GPU's figures come from microbenchmarks, and some "
            "from the literature. But whoever makes a model looks at kernels:"
        ),
        "\n".join(item(one) for one in _items(gpus)),
        wrapped(
            "The error of an estimate is the difference to the measured time, as a share of the "
            "measured time. Calls that take less than 5 µs are mostly launch. They have a "
            "[section of their own](#short-calls), and no part in the other tables."
        ),
    )


def _items(gpus: Sequence[Measured]) -> list[str]:
    course, *others = gpus
    collections = dict.fromkeys(f"`{one}`" for gpu in gpus for one in gpu.collections)
    made = [
        "The model's structure, and the parameters `l1_line`, `l1_queue`, `l2_queue` and "
        f"`read_window`, were chosen with the ladders of {listed([f'`{it}`' for it in SEEN])} in "
        f"view, at their largest sizes, on an {course.short_name}.",
        "Nobody had looked at the other ladders' times by then, nor at those of the typical "
        "mistakes. They were estimated for the first time with the model of that day: the mean "
        "error was 13.6 % for the ladders and 21.4 % for the mistakes, half of them below 8.1 % "
        "and 10.6 %.",
        "That look led to repairs: atomics are charged by lanes, the sampled blocks are spread "
        "over all columns of a grid, `I2FP` is executed, and values that another launch computed "
        "are no longer confused with others. The figures here are those of the repaired model, so "
        f"the mistakes on an {course.short_name} are no longer held out.",
        *(_of_gpu(gpu, course) for gpu in others),
    ]
    made += [
        f"The kernels from elsewhere, {listed(list(collections))}, came last, too. They were "
        "chosen, and how to call them, before any of them was timed. Three calls with a wrong "
        "grid are left out.",
        "When the last two were looked at for the first time, the mean error on an H100 was 8.5 % "
        "for ladders and 10.7 % for mistakes. For kernels from elsewhere it was 15.9 % on an H200 "
        "and 15.4 % on an H100. That look led to one repair: where a problem is so small that "
        "the last warp of a block has nothing to do, that warp no longer stands for the others. "
        "`softmax_forward1` with 128 rows had been estimated to take 1.7 ms instead of 36.",
    ]
    made.append(
        "Two things are fitted to the ladders of all labs: what a launch costs, which is one "
        "number, and [the interval](#the-interval)."
    )
    return made


def _of_gpu(gpu: Measured, course: Measured) -> str:
    return (
        f"The {gpu.short_name} came last. Its figures are those that `calibrate` measured on it "
        f"in seconds. Nothing else is its own: not the model, nor the launch, nor the interval, "
        f"which are an {course.short_name}'s."
    )

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
        f"view, at their largest sizes, on an {course.name}.",
        "Nobody had looked at the other ladders' times by then, nor at those of the typical "
        "mistakes. They were estimated for the first time with the model of that day: the mean "
        "error was 13.6 % for the ladders and 21.4 % for the mistakes, half of them below 8.1 % "
        "and 10.6 %.",
        "That look led to repairs: atomics are charged by lanes, the sampled blocks are spread "
        "over all columns of a grid, `I2FP` is executed, and values that another launch computed "
        "are no longer confused with others. The figures here are those of the repaired model, so "
        f"the mistakes on an {course.name} are no longer held out.",
        *(_of_gpu(gpu, course) for gpu in others),
    ]
    if collections:
        made.append(
            f"The kernels from elsewhere, {listed(list(collections))}, were chosen before anybody "
            "had estimated one of them, and nothing in the model was changed for them."
        )
    made.append(
        "Two things are fitted to the ladders of all labs: what a launch costs, which is one "
        "number, and [the interval](#the-interval)."
    )
    return made


def _of_gpu(gpu: Measured, course: Measured) -> str:
    return (
        f"The {gpu.name} came last. Its figures are those that `figures.py` measured on it in "
        f"seconds. Nothing else is its own: not the model, nor the launch, nor the interval, which "
        f"are an {course.name}'s."
    )

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
    return [
        "The model's structure, and the parameters `l1_line`, `l1_queue`, `l2_queue` and "
        f"`read_window`, were chosen with the ladders of {listed([f'`{it}`' for it in SEEN])} in "
        f"view, at their largest sizes, on an {course.short_name}.",
        "Nobody had looked at the other ladders' times by then, nor at those of the typical "
        "mistakes. The first look at the mistakes, with a mean error of 21.4 %, led to repairs, "
        "so they are no longer held out.",
        *(_of_gpu(gpu, course) for gpu in others),
        f"*Elsewhere* are {_collections(gpus, 'elsewhere')}. At the first look the mean error was "
        "15.9 % on an H200 and 15.4 % on an H100. They are no longer held out, either: the model "
        "was repaired with them in view, and with microbenchmarks that they gave reason for. What "
        "is new since then: the L2 cache drops what was not used for long, DRAM delivers sectors "
        "in pairs and takes time to open a region, stores have a way out of a multiprocessor of "
        "their own, and atomics take turns by line.",
        f"*Held out* are {_collections(gpus, 'held_out')}. They were chosen, and how to call "
        "them, before any of them was timed or estimated, by somebody who did not work on the "
        "model. The figures here are those of the first look, and the model was not changed "
        "after it. Only the counters of some of them, which explain errors, were read later; one "
        "program and its three calls joined when it had been made to link.",
        "Two things are fitted to the course's kernels: what a launch costs, which is one number, "
        "and [the interval](#the-interval).",
    ]


def _collections(gpus: Sequence[Measured], kind: str) -> str:
    """The collections of a kind, with the number of their functions."""
    rows = [row for gpu in gpus for row in gpu.all if row.kind == kind]
    names = [f"`{lab}`" for lab in dict.fromkeys(row.lab for row in rows)]
    return f"{len({row.file for row in rows})} functions of {listed(names)}"


def _of_gpu(gpu: Measured, course: Measured) -> str:
    return (
        f"The {gpu.short_name} came last. Its figures are those that `calibrate` measured on it "
        f"in seconds. Nothing else is its own: not the model, nor the launch, nor the interval, "
        f"which are an {course.short_name}'s."
    )

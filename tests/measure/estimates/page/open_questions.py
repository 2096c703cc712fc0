"""What these measurements leave open."""

from __future__ import annotations

from collections.abc import Sequence

from page.measured import Measured
from page.words import section, wrapped


def text(gpus: Sequence[Measured]) -> str:
    course = gpus[0]
    return section(
        "What is not known",
        wrapped(
            "Both GPUs have the same multiprocessors. Nobody has measured one of another "
            "compute capability."
        ),
        wrapped(
            f"The times of the course's kernels on an {course.short_name}, but not those of "
            "`pipeline` and of short calls of `derivatives`, were taken with at most 24 sets of "
            "arrays, which calls took in turn. Where a call's arrays are smaller than 10 MiB, they "
            "were partly or wholly in the L2 cache, while the model has them come from DRAM. All "
            "other times were taken with 256 MiB of sets."
        ),
    )

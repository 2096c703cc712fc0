"""What these measurements leave open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from page.measured import Measured
from page.words import listed, section, wrapped


def text(gpus: Sequence[Measured]) -> str:
    course, *others = gpus
    return section(
        "What is not known",
        *(wrapped(_not_timed(gpu, course)) for gpu in others if gpu.labs != course.labs),
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


def _not_timed(gpu: Measured, course: Measured) -> str:
    missing = [f"`{lab}`" for lab in course.labs if lab not in gpu.labs]
    timed = {(*row.file, row.problem) for row in gpu.all}
    others = Counter(
        f"`{row.lab}`"
        for row in course.all
        if row.lab in gpu.labs and (*row.file, row.problem) not in timed
    )
    said = f"On an {gpu.short_name}, {listed(missing)} was not timed."
    if others:
        calls = listed([f"{count} of {lab}" for lab, count in others.items()])
        said += f" Of the calls that were timed on an {course.short_name}, {calls} are missing."
    return said

"""The interval around an estimate."""

from __future__ import annotations

from page.measured import Measured
from page.words import section, wrapped


def text(gpu: Measured) -> str:
    others = [gpu.intervals[lab] for lab in gpu.labs]
    least, most = [one.least for one in others], [one.most for one in others]
    return section(
        "The interval",
        wrapped(
            f"On an {gpu.name}, nine in ten ladder steps and mistakes take between "
            f"{gpu.interval.least:.2f} and {gpu.interval.most:.2f} times their estimate. That is "
            "the interval which every estimate gets, for any GPU. For a lab of the course on an "
            f"{gpu.name}, this page takes the interval of all other labs: the first number is "
            f"{min(least):.2f} to {max(least):.2f} then, and the second {min(most):.2f} to "
            f"{max(most):.2f}. Nothing from elsewhere and nothing of another GPU has a part in it."
        ),
    )

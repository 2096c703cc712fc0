"""The interval around an estimate."""

from __future__ import annotations

from page.measured import Measured
from page.words import percent, section, wrapped
from results import OUTSIDE


def text(gpu: Measured) -> str:
    others = [gpu.intervals[lab] for lab in gpu.labs]
    least, most = [one.least for one in others], [one.most for one in others]
    return section(
        "The interval",
        wrapped(
            f"{percent(1 - 2 * OUTSIDE)} of all ladder steps and mistakes take between "
            f"{gpu.interval.least:.2f} and {gpu.interval.most:.2f} times their estimate on an "
            f"{gpu.short_name}. The kernels of a lab are wrong together, so the interval of other "
            "labs holds fewer of a new one's: nine in ten. That is the interval which every "
            "estimate gets, for any GPU. For a lab of the course on an "
            f"{gpu.short_name}, this page takes the interval of all other labs: the first number "
            f"is {min(least):.2f} to {max(least):.2f} then, and the second {min(most):.2f} to "
            f"{max(most):.2f}. Nothing from elsewhere and nothing of another GPU has a part in it."
        ),
    )

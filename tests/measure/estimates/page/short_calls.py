"""Calls that are mostly launch."""

from __future__ import annotations

from collections.abc import Sequence

from page.measured import SHORT_LAUNCH_MILLISECONDS, Measured
from page.words import percent, precise, section, wrapped


def text(gpus: Sequence[Measured]) -> str:
    return section(
        "Short calls",
        *(_errors(gpu) for gpu in gpus),
        wrapped(
            "[Each launch](../estimates.md#how-an-estimate-is-made) is taken to cost the same "
            "beyond what its blocks take. "
            + " ".join(_launch(gpu) for gpu in gpus)
            + " Setting memory to zero and copying take time, too, which is not estimated."
        ),
    )


def _errors(gpu: Measured) -> str:
    one = gpu.summary(gpu.short)
    assert one is not None
    return wrapped(
        f"{one.estimates} calls take less than 5 µs on an {gpu.short_name}. The mean error of "
        f"their estimates is {precise(one.error)}, and the interval holds {percent(one.covered)} "
        "of them."
    )


def _launch(gpu: Measured) -> str:
    others = [1e3 * gpu.launch_milliseconds(without=lab) for lab in gpu.labs]
    return (
        f"On an {gpu.short_name}, in ladder steps whose launches take less than "
        f"{1e3 * SHORT_LAUNCH_MILLISECONDS:.0f} µs, the median of what is left is "
        f"{1e3 * gpu.launch_milliseconds():.2f} µs per launch, and without one of the labs "
        f"{min(others):.2f} to {max(others):.2f} µs."
    )

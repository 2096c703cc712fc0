"""How long a submission would take on a GPU, worked out from its machine code."""

from __future__ import annotations

from msgspec import Struct

# The rates that the roof is made of were measured.
_LEAST_OF_ROOF = 0.95


class EstimatedTime(Struct, frozen=True, kw_only=True):
    """The estimated time of a lab's calls on one GPU, in milliseconds.

    `compared` says whether estimates for this GPU were compared with real times. `problem` is what
    the lab calls its calls. Without an estimate, `missing` says why. If that is a launch which the
    GPU would not take, it `is_refused`. Nine in ten kernels take between `least` and `most`.
    `ladder_milliseconds` has the steps that the scale of estimated points depends on, and
    `limiters` what limits each call. No kernel that does the work takes less than
    `roof_milliseconds`. A time is None if it is not known.
    """

    gpu: str
    compared: bool = False
    problem: str = ""
    missing: str | None = None
    is_refused: bool = False
    milliseconds: float | None = None
    least: float | None = None
    most: float | None = None
    baseline_milliseconds: float | None = None
    reference_milliseconds: float | None = None
    ladder_milliseconds: dict[str, float | None] = {}
    limiters: tuple[str, ...] = ()
    roof_milliseconds: float | None = None

    @property
    def beats_the_roof(self) -> bool:
        """Whether the time is one that no kernel can reach which does all the work."""
        own, roof = self.milliseconds, self.roof_milliseconds
        return own is not None and roof is not None and own < _LEAST_OF_ROOF * roof

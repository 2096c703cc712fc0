"""What microbenchmarks say of a GPU: one file in the folder `figures` for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilelab.base import tables
from tilelab.estimate import gpus
from tilelab.estimate.multiprocessor import Capability

_FOLDER = Path(__file__).with_name("figures")


@dataclass(frozen=True)
class Figures:
    """A GPU that times can be estimated for.

    `values` are the figures of common/estimator by name. Nine in ten kernels take between `least`
    and `most` times their estimate.
    """

    name: str
    capability: Capability
    values: Mapping[str, float]
    least: float
    most: float

    def text(self) -> str:
        """The figures as the estimator reads them."""
        return "".join(f"{name} {value!r}\n" for name, value in self.values.items())

    @property
    def bytes_needed(self) -> float:
        """The bytes in flight per multiprocessor that keep DRAM busy: rate times latency."""
        per_cycle = self.values["dram_read"] / self.values["gigahertz"] / 1e9
        return per_cycle / self.values["multiprocessors"] * self.values["dram_latency"]


def of(gpu: str) -> Figures | None:
    """The figures of the GPU with this name, None if nobody has measured them.

    Drivers add the memory to some names, as in "NVIDIA H100 80GB HBM3".
    """
    return next((one for one in known() if f"{one.name} ".startswith(f"{gpu} ")), None)


def usual() -> Figures | None:
    """Those of the GPU that times are estimated for if nobody names one that has figures."""
    return of(gpus.DEFAULT.name)


def known() -> list[Figures]:
    """All GPUs that times can be estimated for. Raises UserError if a file is wrong."""
    return [tables.read(path, _parse) for path in sorted(_FOLDER.glob("*.toml"))]


def _parse(data: dict[str, Any]) -> Figures:
    tables.only(data, "", "name", "compute_capability", "interval", "figures")
    name = tables.text(data, "", "name")
    interval, values = tables.table(data, "interval"), tables.table(data, "figures")
    tables.only(interval, "interval.", "least", "most")
    capability = data.get("compute_capability")
    if not isinstance(capability, list) or [type(one) for one in capability] != [int, int]:
        raise ValueError("compute_capability must be two whole numbers")
    return Figures(
        name,
        (capability[0], capability[1]),
        {key: tables.any_number(values, "figures.", key) for key in values},
        tables.number(interval, "interval.", "least"),
        tables.number(interval, "interval.", "most"),
    )

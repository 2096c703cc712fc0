"""What microbenchmarks say of a GPU: one file for each.

The folder `figures` has some. `./tilelab calibrate` adds those of this machine's GPU, which count
in place of bundled ones of the same name.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from tilelab.base import tables
from tilelab.base.errors import UserError
from tilelab.base.fields import Positive, Text
from tilelab.base.repository import BUILD, REPO
from tilelab.estimate import gpus, multiprocessor
from tilelab.estimate.multiprocessor import Capability
from tilelab.model.simulation import Constant

_FOLDER = Path(__file__).with_name("figures")
MEASURED = BUILD / "figures"
_OF_THE_OWNER = REPO / "build" / "figures"

# Estimates for these were compared with real times: docs/results/estimates.md.
_COMPARED = ("NVIDIA H200", "NVIDIA H100 80GB HBM3")


_Figure = Annotated[
    Annotated[int, Meta(gt=0)] | Annotated[float, Meta(gt=0, le=sys.float_info.max)],
    Meta(description="must be greater than 0"),
]


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

    def constants(self) -> Sequence[Constant]:
        """The figures as the estimator reads them."""
        return [Constant(name, value) for name, value in self.values.items()]

    def text(self) -> str:
        """What is the same if all figures are."""
        return "".join(f"{name} {value!r}\n" for name, value in self.values.items())

    @property
    def is_compared(self) -> bool:
        """Whether estimates for this GPU were compared with real times."""
        return self.name in _COMPARED

    @property
    def bytes_needed(self) -> float:
        """The bytes in flight per multiprocessor that keep DRAM busy: rate times latency."""
        per_cycle = self.values["dram_read"] / self.values["gigahertz"] / 1e9
        return per_cycle / self.values["multiprocessors"] * self.values["dram_latency"]


class _Interval(Struct, frozen=True, forbid_unknown_fields=True):
    least: Positive
    most: Positive


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    name: Text
    compute_capability: Annotated[tuple[int, int], Meta(description="must be two whole numbers")]
    interval: _Interval
    figures: dict[str, _Figure] = {}


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
    bundled = [tables.read(path, _File, _figures) for path in sorted(_FOLDER.glob("*.toml"))]
    expected = {name for one in bundled for name in one.values}
    found = {one.name: one for one in bundled}
    for folder in dict.fromkeys((_OF_THE_OWNER, MEASURED)):
        for path in sorted(folder.glob("*.toml")):
            one = _measured(path, expected)
            found[one.name] = one
    return list(found.values())


def _measured(path: Path, expected: set[str]) -> Figures:
    """A file that `calibrate` wrote, perhaps for an earlier version of the estimator."""

    def complete(file: _File) -> Figures:
        one = _figures(file)
        if different := sorted(expected.symmetric_difference(one.values)):
            has = "lacks" if different[0] in expected else "has the unknown"
            raise ValueError(f"it {has} figures.{different[0]}")
        return one

    try:
        return tables.read(path, _File, complete)
    except UserError as error:
        raise UserError(f"{error}: run ./tilelab calibrate again, or remove the file") from error


def _figures(file: _File) -> Figures:
    if multiprocessor.of(file.compute_capability) is None:
        major, minor = file.compute_capability
        raise ValueError(f"compute_capability {major}.{minor} is not known here")
    if file.interval.least > file.interval.most:
        raise ValueError("interval.least must not be above interval.most")
    return Figures(
        file.name,
        file.compute_capability,
        file.figures,
        file.interval.least,
        file.interval.most,
    )

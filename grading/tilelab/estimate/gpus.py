"""The GPUs that a kernel can be looked at for."""

from __future__ import annotations

from dataclasses import dataclass

from tilelab.base.errors import UserError
from tilelab.estimate import multiprocessor
from tilelab.estimate.multiprocessor import Capability, Multiprocessor


@dataclass(frozen=True)
class Gpu:
    """A GPU: what to call it, and its compute capability."""

    name: str
    capability: Capability

    @property
    def multiprocessor(self) -> Multiprocessor:
        found = multiprocessor.of(self.capability)
        assert found is not None, self.capability
        return found


_GPUS = {
    "K20": Gpu("Tesla K20", (3, 5)),
    "T4": Gpu("Tesla T4", (7, 5)),
    "A100": Gpu("NVIDIA A100", (8, 0)),
    "RTX4090": Gpu("NVIDIA GeForce RTX 4090", (8, 9)),
    "H100": Gpu("NVIDIA H100", (9, 0)),
    "H200": Gpu("NVIDIA H200", (9, 0)),
    "B200": Gpu("NVIDIA B200", (10, 0)),
}
# Has the compute capability that the emulator has, and most times in the docs are its.
DEFAULT = _GPUS["H200"]


def names() -> list[str]:
    return list(_GPUS)


def named(name: str) -> Gpu:
    """The GPU of that name, in any case and with any spaces. Raises UserError if none has it."""
    found = _GPUS.get(name.upper().replace(" ", ""))
    if found is None:
        raise UserError(f"--gpu {name}: choose one of {', '.join(_GPUS)}")
    return found

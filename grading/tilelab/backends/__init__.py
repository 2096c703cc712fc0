"""What compiles and runs submissions: an object for each backend.

Nothing outside of this folder asks which backend one is, only what it needs and can do. Another
backend is a file here, its line in BACKENDS, a preset in CMakePresets.json, and a folder below
common/.
"""

from __future__ import annotations

from tilelab.backends.base import Backend, Device
from tilelab.backends.cuda import Cuda
from tilelab.backends.emulator import Emulator
from tilelab.backends.emulator_clang import EmulatorClang
from tilelab.base.errors import UserError

BACKENDS: tuple[Backend, ...] = (Emulator(), EmulatorClang(), Cuda())


def presets() -> list[str]:
    return [one.preset for one in BACKENDS]


def named(preset: str) -> Backend:
    """Raises UserError where there is no such backend."""
    for one in BACKENDS:
        if one.preset == preset:
            return one
    raise UserError(f"there is no backend '{preset}': {', '.join(presets())}")


def assert_usable(backend: Backend) -> None:
    """Raises UserError if this machine lacks what the backend needs."""
    if missing := backend.missing():
        raise UserError(f"the backend {backend.preset} needs {missing}")


def default() -> list[Backend]:
    """Those that grade where nobody asks for another, as far as they can run here."""
    return [one for one in BACKENDS if one.is_default and one.missing() is None]


def timing() -> Backend:
    """One that measures time. Raises UserError where none can run."""
    able = [one for one in BACKENDS if one.measures_time]
    found = next((one for one in able if one.missing() is None), able[0])
    assert_usable(found)
    return found


def device() -> Device | None:
    """The GPU of this machine that some backend can use."""
    return next((found for one in BACKENDS if (found := one.device())), None)


def gpus() -> str:
    """The kinds of GPU that submissions can run on: "an NVIDIA GPU"."""
    return " or ".join(dict.fromkeys(one.gpu for one in BACKENDS if one.gpu))

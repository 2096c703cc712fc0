"""The backends, which compile and run submissions: one object for each.

Nothing outside this folder asks for a backend by name, only for what it needs and what it can do.
A new backend is a file here, a line in BACKENDS, a preset in CMakePresets.json, and a folder in
common/worker/backends.
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
    """Raises UserError if there is no such backend."""
    for one in BACKENDS:
        if one.preset == preset:
            return one
    raise UserError(f"there is no backend '{preset}': {', '.join(presets())}")


def assert_usable(backend: Backend) -> None:
    """Raises UserError if this machine lacks what the backend needs."""
    if missing := backend.missing():
        raise UserError(f"the backend {backend.preset} needs {missing}")


def default() -> list[Backend]:
    """The backends that grade unless the user names one, if they can run here."""
    return [one for one in BACKENDS if one.is_default and one.missing() is None]


def everywhere() -> Backend:
    """The backend that grades on every machine."""
    return next(one for one in BACKENDS if one.is_default and not one.needs_gpu)


def timing() -> Backend:
    """A backend that measures time. Raises UserError if none can run here."""
    able = [one for one in BACKENDS if one.measures_time]
    found = next((one for one in able if one.missing() is None), able[0])
    assert_usable(found)
    return found


def device() -> Device | None:
    """The first GPU of this machine that a backend can use."""
    return next((found for one in BACKENDS if (found := one.device())), None)


def gpus() -> str:
    """The kinds of GPU that submissions can run on: "an NVIDIA GPU"."""
    return " or ".join(dict.fromkeys(one.gpu for one in BACKENDS if one.gpu))

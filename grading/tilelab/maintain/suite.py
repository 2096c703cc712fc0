"""Runs the tests: the first tier, what a change adds to it, all, or only those of a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console

from tilelab import backends
from tilelab.backends import BACKENDS
from tilelab.maintain import presets, pytests
from tilelab.maintain.changes import Changes
from tilelab.maintain.presets import Part
from tilelab.maintain.pytests import Chosen
from tilelab.maintain.totals import Totals
from tilelab.pipeline.harness import steps, toolchain
from tilelab.pipeline.harness.steps import Showing

# What a change of C++ is compiled with. The first of them serves for everything else.
_ON_CPU = tuple(backend.preset for backend in BACKENDS if not backend.needs_gpu)

_COMPILED = ("common/", "tests/common/", "tests/labs/", "CMake")

# What the labs' kernels do is compared with a GPU and with another compiler after these as well.
_KERNELS = (*_COMPILED, "labs/", "solutions/")

# After this many seconds of tests in Python, tests beyond the first tier are left out, however long
# the builds before them took.
_SECONDS = 420


def first_tier(seed: int) -> Chosen:
    return Chosen(seed, _ON_CPU[:1])


def after(changes: Changes, seed: int) -> Chosen:
    """The first tier, and what the change may break."""
    used = _ON_CPU if _touches(_COMPILED, changes.paths) else _ON_CPU[:1]
    return Chosen(seed, used, changes.paths, seconds=_SECONDS)


def show(chosen: Chosen, console: Console) -> int:
    """Lists what would run. Returns the exit status."""
    for part in _parts(chosen):
        console.print(f"CTest: {part.what} of preset {part.backend.preset}", markup=False)
    console.print(pytests.listing(chosen), markup=False)
    return 0


def run(chosen: Chosen | None, console: Console, showing: Showing = steps.unseen) -> int:
    """Runs the chosen tests, or all, and prints the totals last. Returns the exit status."""
    parts = [*_parts(chosen)]
    presets.build(parts, console)
    totals = Totals()
    for part in parts:
        totals += presets.run(part, console, showing)
    totals += pytests.run(chosen, console)
    return _end(totals, console)


def _parts(chosen: Chosen | None) -> Iterator[Part]:
    """The presets, of which all tests run, or those of the first, and what others may change."""
    for backend in BACKENDS:
        if chosen is None:
            yield Part(backend)
        elif backend.preset == chosen.presets[0]:
            is_touched = _touches(_KERNELS, chosen.changed or ())
            yield Part(backend) if is_touched else presets.first_tier(backend)
        elif backend.preset in chosen.presets:
            yield presets.kernels(backend)


def _touches(where: tuple[str, ...], paths: Sequence[str]) -> bool:
    return any(path.startswith(where) for path in paths)


def run_gpu(console: Console, showing: Showing = steps.unseen) -> int:
    """Runs only what needs a GPU. Raises UserError if there is none."""
    on_gpu = [backend for backend in BACKENDS if backend.needs_gpu]
    for backend in on_gpu:
        backends.assert_usable(backend)
    # Some tests compare the GPU's results with a CPU's.
    for backend in backends.default():
        if not backend.needs_gpu:
            toolchain.prepare(backend.preset)
    totals = Totals()
    for backend in on_gpu:
        totals += presets.run(Part(backend), console, showing)
    totals += pytests.run_gpu(console)
    return _end(totals, console)


def _end(totals: Totals, console: Console) -> int:
    for line in (*totals.slowest(), *totals.omissions(), str(totals)):
        console.print(line, markup=False)
    return 1 if totals.failed or not totals.passed else 0

"""Runs all tests that this machine can run, or only those that need a GPU."""

from __future__ import annotations

from rich.console import Console

from tilelab import backends
from tilelab.backends import BACKENDS
from tilelab.maintain import presets, pytests
from tilelab.maintain.totals import Totals
from tilelab.pipeline import toolchain


def run(console: Console) -> int:
    """Runs everything and prints the totals last. Returns the exit status."""
    totals = Totals()
    for backend in BACKENDS:
        totals += presets.run(backend, console)
    totals += pytests.run(console)
    return _end(totals, console)


def run_gpu(console: Console) -> int:
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
        totals += presets.run(backend, console)
    totals += pytests.run_gpu(console)
    return _end(totals, console)


def _end(totals: Totals, console: Console) -> int:
    console.print(str(totals), markup=False)
    return 1 if totals.failed or not totals.passed else 0

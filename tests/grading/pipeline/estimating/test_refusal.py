"""Launches that no GPU takes, although the emulator runs them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tilelab.model.recording import Launch
from tilelab.pipeline.estimating import refusal
from tilelab.pipeline.estimating.launches import Kernel, Recording
from tilelab.pipeline.estimating.recording import MachineCode, Recorder
from tilelab.pipeline.records.stages import Compiled

HOPPER = (9, 0)
KIB = 1024
RAISES = "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);"


def refused(made: Kernel, threads: int = 256, dynamic: int = 0, text: str = "") -> str | None:
    launch = Launch(0x40, "k", (1, 1, 1), (threads, 1, 1), dynamic, ())
    machine = MachineCode(Path(), (kernel(), made), b"")
    compiled = cast(Compiled, SimpleNamespace(text=text))
    recorder = Recorder(compiled, Path(), {0x40: made.symbol}, "", machine)
    return refusal.of(recorder, [Recording((), (launch,))], HOPPER)


def kernel(
    symbol: str = "_Z5otheri", registers: int = 255, shared: int = 0, most: int | None = None
) -> Kernel:
    return Kernel(symbol, registers, shared, (), most)


def k(registers: int = 32, shared: int = 0, most: int | None = None) -> Kernel:
    return kernel("_Z1kPi", registers, shared, most)


@pytest.mark.parametrize(
    ("registers", "threads", "fits"),
    [(64, 1024, True), (65, 1024, False), (128, 512, True), (129, 512, False), (255, 256, True)],
)
def test_registers_of_a_block(registers: int, threads: int, fits: bool) -> None:
    found = refused(k(registers), threads)
    assert (found is None) == fits
    if found is not None:
        assert found.startswith(
            f"A GPU refuses the launch of k: {threads:,} threads with {registers} registers each"
        )
        assert f"__launch_bounds__({threads})" in found


@pytest.mark.parametrize(("threads", "fits"), [(255, True), (256, True), (257, False)])
def test_launch_bounds(threads: int, fits: bool) -> None:
    found = refused(k(most=256), threads)
    assert (found is None) == fits
    if found is not None:
        assert found.endswith("have 257 threads, and its __launch_bounds__ promise at most 256.")


@pytest.mark.parametrize(
    ("static", "dynamic", "text", "fits"),
    [
        (24 * KIB, 24 * KIB, "", True),
        (24 * KIB, 24 * KIB + 4, "", False),
        (24 * KIB, 24 * KIB + 4, RAISES, True),
        (0, 48 * KIB, "", True),
        (127 * KIB, 100 * KIB, RAISES, True),
        (127 * KIB, 101 * KIB, RAISES, False),
    ],
)
def test_shared_memory_of_a_block(static: int, dynamic: int, text: str, fits: bool) -> None:
    found = refused(k(shared=static), dynamic=dynamic, text=text)
    assert (found is None) == fits
    if found is not None:
        assert f"{(static + dynamic if text else static):,} bytes of" in found

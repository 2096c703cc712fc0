"""Helpers that the tests of grading share, besides fixtures."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tilelab import backends
from tilelab.backends import nvidia
from tilelab.labs import lab as labs
from tilelab.model.lab import Lab
from tilelab.pipeline.records.stages import Inspected
from tilelab.pipeline.records.toolchain import Build, Toolchain
from tilelab.pipeline.texts.tokens import parse
from tilelab.sandbox import jail

Test = TypeVar("Test", bound=Callable[..., None])

REPO = Path(__file__).resolve().parents[2]
SAMPLE_CLASS = REPO / "grading" / "sample_class"

# The labs that README.md presents, in the order of the course. Only these need a figure, measured
# times, and prose in our own style: a lab that somebody adds needs no more than `verify` asks for.
PRESENTED_LABS = re.findall(
    r"^\| \[`(\w+)`\]\(labs/", (REPO / "README.md").read_text(encoding="utf-8"), re.MULTILINE
)

needs_bubblewrap = pytest.mark.skipif(
    jail.bubblewrap() is None, reason="bubblewrap is absent or cannot make namespaces here"
)
needs_nvdisasm = pytest.mark.skipif(
    nvidia.nvdisasm() is None,
    reason="nvdisasm is not installed; it comes with CUDA, or by pip install nvidia-cuda-nvdisasm",
)
needs_nvcc = pytest.mark.skipif(nvidia.nvcc() is None, reason="nvcc is not installed")


def needs_gpu(test: Test) -> Test:
    """Marks a test for `tilelab test --gpu`, and skips it where there is no GPU."""
    has_gpu = nvidia.gpu() is not None and nvidia.nvcc() is not None
    skip = pytest.mark.skipif(not has_gpu, reason="needs an NVIDIA GPU and nvcc")
    marked: Test = pytest.mark.gpu(skip(test))
    return marked


def _has_terminals() -> bool:
    try:
        descriptors = os.openpty()
    except OSError:  # a chroot without /dev/pts, for example
        return False
    for descriptor in descriptors:
        os.close(descriptor)
    return True


needs_terminal = pytest.mark.skipif(
    not _has_terminals(), reason="this system makes no pseudo-terminals"
)

Write = Callable[[str], Path]


def programs() -> list[str]:
    """The command lines of all programs that run now, in full."""
    listing = subprocess.run(["ps", "-ewwo", "args"], capture_output=True, text=True, check=True)
    lines = listing.stdout.splitlines()
    assert any("-ewwo args" in line for line in lines)
    return lines


def wait_until(is_so: Callable[[], Any], what: str, seconds: float = 60) -> Any:
    """What `is_so` returns once that is true. Fails if it never is, and says `what` was missing."""
    end = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < end, f"after {seconds} s there is still no {what}"
        time.sleep(0.02)
    return found


def inspected(text: str, of: str | Lab = "diff") -> Inspected:
    """A text as the stages after its inspection get it, whatever it breaks."""
    return Inspected(labs.load(of) if isinstance(of, str) else of, text, parse(text))


def unbuilt(preset: str, folder: Path) -> Toolchain:
    """A toolchain that does not exist, for code that only asks for its paths."""
    return Toolchain(
        backend=backends.named(preset),
        folder=folder,
        compiler="",
        cxx="c++",
        build=Build("fast", [], []),
        dispatch="",
        judge=str(folder / "judge"),
        confine=folder / "confine",
        peaks=folder / "peaks",
        read_only=[],
    )

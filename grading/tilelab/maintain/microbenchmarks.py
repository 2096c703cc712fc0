"""Builds and runs the microbenchmarks of common/microbenchmarks on this machine's GPU."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.backends.base import Backend, Device
from tilelab.base import process
from tilelab.base.errors import InfraError, UserError
from tilelab.base.files import work_folder
from tilelab.base.repository import REPO
from tilelab.base.text import shorten
from tilelab.estimate import calibrated, throughput
from tilelab.estimate.multiprocessor import Capability

_SOURCE = REPO / "common" / "microbenchmarks" / "figures.cu"
_SUMMARY = REPO / "docs" / "results" / "estimates" / "summary.json"
_SECONDS = 600


def figures_of(backend: Backend, device: Device) -> str:
    """Measures a GPU, and returns the file of its figures.

    Raises UserError for a compute capability whose throughput is not known here, or InfraError.
    """
    measured = _measure(backend.only(device))
    capability = _capability(measured.pop("capability", ""))
    documented = throughput.of(capability)
    if documented is None:
        known = ", ".join(map(_dotted, throughput.capabilities()))
        raise UserError(
            f"{device.name} has compute capability {_dotted(capability)}, whose throughput is not "
            f"known here: add it to grading/tilelab/estimate/throughput.py, which has {known}"
        )
    for name, value in measured.items():
        if not _is_positive(value):
            raise InfraError(
                f"the microbenchmarks measured {name} {shorten(value, 40)}, which cannot be: run "
                "them again when nothing else uses the GPU."
            )
    tools = {"driver": device.driver, "nvcc": str(nvidia.nvcc_version())}
    interval = json.loads(_SUMMARY.read_text(encoding="utf-8"))["interval"]
    return calibrated.text(device.name, capability, tools, interval, measured, documented)


def _dotted(capability: Capability) -> str:
    return ".".join(map(str, capability))


def _capability(printed: str) -> Capability:
    try:
        major, minor = map(int, printed.split())
    except ValueError:
        raise InfraError("the microbenchmarks do not say which GPU they ran on.") from None
    return major, minor


def _measure(environment: Mapping[str, str]) -> dict[str, str]:
    """What the microbenchmarks print, by name."""
    nvcc = nvidia.nvcc()
    if nvcc is None:
        raise InfraError("nvcc is missing.")
    with work_folder() as folder:
        program = folder / "figures"
        words = [str(nvcc), "-ccbin", nvidia.host_compiler(), "-std=c++20", "-O3", "-arch=native"]
        _run([*words, "-o", program, _SOURCE], environment)
        output = _run([program], environment)
    pairs = (line.partition(" ") for line in output.splitlines())
    return {name: value for name, _, value in pairs}


def _run(words: Sequence[str | Path], environment: Mapping[str, str]) -> str:
    finished = process.run(words, seconds=_SECONDS, env=environment)
    name = Path(words[0]).name
    if finished.timed_out:
        raise InfraError(f"{name} did not end within {_SECONDS} s.")
    if finished.status != 0:
        raise InfraError(f"{name} failed: {shorten(finished.output.strip(), 300)}")
    return finished.output


def _is_positive(text: str) -> bool:
    try:
        value = float(text)
    except ValueError:
        return False
    return math.isfinite(value) and value > 0

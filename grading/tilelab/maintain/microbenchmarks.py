"""Builds and runs the microbenchmarks of common/microbenchmarks on this machine's GPU."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from tilelab.backends import nvidia
from tilelab.backends.base import Backend, Device
from tilelab.base import process
from tilelab.base.errors import InfraError, UserError
from tilelab.base.fields import Number
from tilelab.base.files import work_folder
from tilelab.base.repository import REPO
from tilelab.base.text import shorten
from tilelab.estimate import calibrated, throughput
from tilelab.estimate.multiprocessor import Capability
from tilelab.model import simulation, stream
from tilelab.model.simulation import Calibration

_COMMON = REPO / "common"
_SOURCE = _COMMON / "microbenchmarks" / "calibration.cu"
_SUMMARY = REPO / "docs" / "results" / "estimates" / "summary.json"
_SECONDS = 600

_DECODER: msgspec.json.Decoder[Calibration] = msgspec.json.Decoder(Calibration)


def figures_of(backend: Backend, device: Device) -> str:
    """Measures a GPU, and returns the file of its figures.

    Raises UserError for a compute capability whose throughput is not known here, or InfraError.
    """
    capability, measured = _measured(backend.only(device))
    documented = throughput.of(capability)
    if documented is None:
        known = ", ".join(map(_dotted, throughput.capabilities()))
        raise UserError(
            f"{device.name} has compute capability {_dotted(capability)}, whose throughput is not "
            f"known here: add it to grading/tilelab/estimate/throughput.py, which has {known}"
        )
    tools = {"driver": device.driver, "nvcc": str(nvidia.nvcc_version())}
    interval = json.loads(_SUMMARY.read_text(encoding="utf-8"))["interval"]
    return calibrated.text(device.name, capability, tools, interval, measured, documented)


def _dotted(capability: Capability) -> str:
    return ".".join(map(str, capability))


def _measured(environment: Mapping[str, str]) -> tuple[Capability, dict[str, Number]]:
    """What the microbenchmarks print: the GPU they ran on, and its constants by name."""
    capability, constants = None, {}
    try:
        events = stream.read(_printed(environment), _DECODER)
    except msgspec.DecodeError as error:
        raise InfraError(f"what the microbenchmarks print cannot be used ({error}).") from error
    for event in events:
        if isinstance(event, stream.Begin):
            continue
        if isinstance(event, simulation.Capability):
            capability = event.major, event.minor
        elif event.value is not None and event.value > 0:
            constants[event.name] = event.value
        else:
            raise InfraError(
                f"the microbenchmarks measured {event.name} {event.value}, which cannot be: run "
                "them again when nothing else uses the GPU."
            )
    if capability is None:
        raise InfraError("the microbenchmarks do not say which GPU they ran on.")
    return capability, constants


def _printed(environment: Mapping[str, str]) -> str:
    nvcc = nvidia.nvcc()
    if nvcc is None:
        raise InfraError("nvcc is missing.")
    with work_folder() as folder:
        program = folder / "calibration"
        words = [str(nvcc), "-ccbin", nvidia.host_compiler(), "-std=c++20", "-O3", "-arch=native"]
        _run([*words, "-I", _COMMON, "-o", program, _SOURCE], environment)
        return _run([program], environment)


def _run(words: Sequence[str | Path], environment: Mapping[str, str]) -> str:
    finished = process.run(words, seconds=_SECONDS, env=environment)
    name = Path(words[0]).name
    if finished.timed_out:
        raise InfraError(f"{name} did not end within {_SECONDS} s.")
    if finished.status != 0:
        raise InfraError(f"{name} failed: {shorten(finished.output.strip(), 300)}")
    return finished.output

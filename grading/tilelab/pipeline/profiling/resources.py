"""What nvcc makes of a submission's kernels: resources, the occupancy that follows, and loops."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeGuard

from msgspec.structs import replace

from tilelab import backends
from tilelab.base.errors import CompileError
from tilelab.estimate import figures, gpus, multiprocessor, sass
from tilelab.estimate.figures import Figures
from tilelab.estimate.gpus import Gpu
from tilelab.estimate.multiprocessor import Capability
from tilelab.estimate.occupancy import Block, occupancy
from tilelab.estimate.pipes import by_pipe
from tilelab.estimate.ptxas import Resources
from tilelab.model.profile import (
    Call,
    Instruction,
    Launch,
    Loop,
    MachineCode,
    Room,
    Taken,
    Target,
    Triple,
)
from tilelab.pipeline.estimating import machine_code
from tilelab.pipeline.estimating.machine_code import Cubin
from tilelab.pipeline.harness import missing
from tilelab.pipeline.records.stages import Inspected


def gpu_of(name: str | None) -> Gpu:
    """The GPU of that name; without one, this machine's, or else the usual one.

    The name may be one that `calibrate` wrote into figures. Raises UserError.
    """
    if name is not None:
        measured = figures.of(name)
        return Gpu(measured.name, measured.capability) if measured else gpus.named(name)
    for backend in backends.BACKENDS:
        device, capability = backend.device(), backend.capability()
        if device and capability and multiprocessor.of(capability):
            return Gpu(device.name, capability)
    return gpus.DEFAULT


def figures_for(gpu: Gpu, name: str | None) -> Figures | None:
    """What times are estimated with: the GPU's own figures, or if none was named, the usual ones.

    Raises UserError if a file of figures is wrong.
    """
    if found := figures.of(gpu.name):
        return found
    return figures.usual() if name is None else None


def look(
    inspected: Inspected, calls: Sequence[Call], gpu: Gpu, work: Path, *, loops: bool
) -> tuple[list[Call], MachineCode]:
    """Compiles a submission for a GPU in the empty folder `work`.

    Returns the calls with what their launches take, and what nvcc says. Raises UserError without
    nvdisasm if `loops` are wanted, or InfraError.
    """
    target = Target(gpu.name, _shown(gpu.capability))
    if lacking := missing.for_machine_code():
        return list(calls), MachineCode(target, missing=lacking)
    try:
        cubin = machine_code.compile_for(gpu.capability, inspected, work)
    except CompileError as error:
        return list(calls), MachineCode(target, missing=f"a file that nvcc compiles: {error}")
    found = tuple(_loops(cubin, inspected.text)) if loops else ()
    code = MachineCode(target, _shown(cubin.capability), loops=found)
    return [_with_resources(one, cubin, gpu) for one in calls], code


def _shown(capability: Capability) -> str:
    return ".".join(map(str, capability))


def _loops(cubin: Cubin, text: str) -> Iterator[Loop]:
    source = text.splitlines()
    called = {one.name: name for name, one in _pairs(cubin)}
    for function in machine_code.disassemble(cubin):
        name = _without_parameters(called.get(function.name, function.name))
        for loop in function.loops:
            yield _loop(name, loop, source)


def _loop(function: str, loop: sass.Loop, source: Sequence[str]) -> Loop:
    return Loop(
        function,
        dict(by_pipe(loop.operations.elements()).most_common()),
        tuple(
            Instruction(
                one.line,
                source[one.line - 1].strip() if _is_in(one.line, source) else None,
                one.text,
            )
            for one in loop.instructions
        ),
    )


def _is_in(line: int | None, source: Sequence[str]) -> TypeGuard[int]:
    return line is not None and 0 < line <= len(source)


def _with_resources(call: Call, cubin: Cubin, gpu: Gpu) -> Call:
    launches = (
        replace(launch, resources=tuple(_resources(launch, cubin, gpu))) for launch in call.launches
    )
    return replace(call, launches=tuple(launches))


def _resources(launch: Launch, cubin: Cubin, gpu: Gpu) -> Iterator[Taken]:
    for name, one in _instances(launch.kernel, cubin):
        yield taken(name, one, launch, gpu)


class Shape(Protocol):
    """The shape of a launch."""

    @property
    def block(self) -> Triple: ...
    @property
    def dynamic_shared_bytes(self) -> int: ...


def taken(name: str, one: Resources, launch: Shape, gpu: Gpu) -> Taken:
    """What a kernel takes in a launch."""
    shared = one.static_shared_bytes + launch.dynamic_shared_bytes
    block = Block(math.prod(launch.block), one.registers, shared)
    found = occupancy(block, gpu.multiprocessor)
    return Taken(
        name,
        one.registers,
        one.static_shared_bytes,
        one.stack_bytes,
        one.spill_store_bytes,
        one.spill_load_bytes,
        Room(found.blocks, found.warps, found.share, tuple(found.limiters)),
    )


def _instances(launched: str, cubin: Cubin) -> list[tuple[str, Resources]]:
    """The kernels that a launch of `launched`, as its source calls it, may mean."""
    named = [(_without_parameters(name), one) for name, one in _pairs(cubin)]
    same = [(name, one) for name, one in named if _plain(name) == _plain(launched)]
    exact = [(name, one) for name, one in same if _arguments(name) == _arguments(launched)]
    return exact or same


def _pairs(cubin: Cubin) -> Iterable[tuple[str, Resources]]:
    return zip(cubin.names, cubin.resources, strict=True)


def _without_parameters(name: str) -> str:
    """`tile<64>` of `void (anonymous namespace)::tile<64>(float const*, int)`."""
    called = name.replace("(anonymous namespace)::", "").removeprefix("void ")
    return called[: called.rindex("(")] if called.endswith(")") else called


def _plain(name: str) -> str:
    """The name without namespaces and template arguments."""
    return re.sub(r".*::", "", name.partition("<")[0]).strip()


def _arguments(name: str) -> str:
    """The template arguments without spaces, "" if there are none."""
    return name.partition("<")[2].rstrip("> ").replace(" ", "")

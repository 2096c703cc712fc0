"""What nvcc makes of a submission's kernels: resources, the occupancy that follows, and loops."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeGuard

from tilelab import backends
from tilelab.base.errors import CompileError
from tilelab.estimate import figures, gpus, multiprocessor
from tilelab.estimate.figures import Figures
from tilelab.estimate.gpus import Gpu
from tilelab.estimate.multiprocessor import Capability
from tilelab.estimate.occupancy import Block, occupancy
from tilelab.estimate.pipes import by_pipe
from tilelab.estimate.ptxas import Resources
from tilelab.estimate.sass import Loop
from tilelab.model.lab import Lab
from tilelab.pipeline.profiling import machine_code
from tilelab.pipeline.profiling.machine_code import Compiled

Json = dict[str, Any]


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
    text: str, lab: Lab, launches: Iterable[Json], gpu: Gpu, work: Path, *, loops: bool
) -> Json:
    """Compiles a submission for a GPU in the empty folder `work`, and adds resources to launches.

    A launch gets "resources": [{"kernel", "registers", "static_shared_bytes", "stack_bytes",
    "spill_store_bytes", "spill_load_bytes", "occupancy": {"blocks", "warps", "share",
    "limited_by"}}]. The list has all instances of a template if the launch does not say which one
    it means, and is empty if no kernel has its name.

    Returns {"gpu": {"name", "compute_capability"}, "compute_capability", "missing", "loops"}. The
    second capability is the one that nvcc compiled for. If it compiles nothing, "missing" says why.
    Raises UserError without nvdisasm if `loops` are wanted, or InfraError.
    """
    result: Json = {
        "gpu": {"name": gpu.name, "compute_capability": _shown(gpu.capability)},
        "compute_capability": None,
        "missing": None,
        "loops": [],
    }
    if missing := machine_code.missing():
        return {**result, "missing": missing}
    try:
        compiled = machine_code.compile_for(gpu.capability, text, lab, work)
    except CompileError as error:
        return {**result, "missing": f"a file that nvcc compiles: {error}"}
    _put_beside(launches, compiled, gpu)
    result["compute_capability"] = _shown(compiled.capability)
    if loops:
        result["loops"] = list(_loops(compiled, text))
    return result


def _shown(capability: Capability) -> str:
    return ".".join(map(str, capability))


def _loops(compiled: Compiled, text: str) -> Iterator[Json]:
    source = text.splitlines()
    called = {one.name: name for name, one in _pairs(compiled)}
    for function in machine_code.disassemble(compiled):
        name = _without_parameters(called.get(function.name, function.name))
        for loop in function.loops:
            yield {"function": name, **_loop(loop, source)}


def _loop(loop: Loop, source: Sequence[str]) -> Json:
    return {
        "by_pipe": dict(by_pipe(loop.operations.elements()).most_common()),
        "instructions": [
            {
                "line": one.line,
                "source": source[one.line - 1].strip() if _is_in(one.line, source) else None,
                "text": one.text,
            }
            for one in loop.instructions
        ],
    }


def _is_in(line: int | None, source: Sequence[str]) -> TypeGuard[int]:
    return line is not None and 0 < line <= len(source)


def _put_beside(launches: Iterable[Json], compiled: Compiled, gpu: Gpu) -> None:
    for launch in launches:
        launch["resources"] = [
            {
                "kernel": name,
                **{key: value for key, value in asdict(taken).items() if key != "name"},
                "occupancy": _occupancy(launch, taken, gpu),
            }
            for name, taken in _instances(launch["kernel"], compiled)
        ]


def _occupancy(launch: Json, taken: Resources, gpu: Gpu) -> Json:
    shared = taken.static_shared_bytes + launch["dynamic_shared_bytes"]
    block = Block(math.prod(launch["block"]), taken.registers, shared)
    found = occupancy(block, gpu.multiprocessor)
    return {
        "blocks": found.blocks,
        "warps": found.warps,
        "share": found.share,
        "limited_by": found.limiters,
    }


def _instances(launched: str, compiled: Compiled) -> list[tuple[str, Resources]]:
    """The kernels that a launch of `launched`, as its source calls it, may mean."""
    named = [(_without_parameters(name), one) for name, one in _pairs(compiled)]
    same = [(name, one) for name, one in named if _plain(name) == _plain(launched)]
    exact = [(name, one) for name, one in same if _arguments(name) == _arguments(launched)]
    return exact or same


def _pairs(compiled: Compiled) -> Iterable[tuple[str, Resources]]:
    return zip(compiled.names, compiled.resources, strict=True)


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

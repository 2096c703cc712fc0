"""What the estimator is asked about the launches of a program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.estimate.figures import Figures
from tilelab.model import simulation
from tilelab.model.recording import Image
from tilelab.pipeline.estimating import launches
from tilelab.pipeline.estimating.launches import Kernel
from tilelab.programs import recorded
from tilelab.programs.machine_code import Code
from tilelab.programs.recorded import ProgramRecording, RecordedLaunch

_ADDRESS = 8  # bytes

# The length of a name in a symbol, and before it an L if the name is static.
_NAME = re.compile(r"L?(\d+)")


@dataclass(frozen=True)
class Program:
    """A program that ran: the machine code of its files, its symbols and its recording.

    `functions` are by the addresses that they were linked for; `variables` have such addresses.
    """

    codes: Sequence[Code]
    functions: Mapping[int, str]
    variables: Sequence[tuple[str, int]]
    recording: ProgramRecording


def kernel_of(one: RecordedLaunch, program: Program) -> tuple[Code, Kernel]:
    """The machine code that a launch means. Raises UserError if nvcc has no such kernel."""
    symbol = launches.portable(program.functions.get(one.launch.function, ""))
    for code in program.codes:
        for kernel in code.kernels:
            if symbol and launches.portable(kernel.symbol) == symbol:
                return code, kernel
    owners = {kernel.symbol: code for code in program.codes for kernel in code.kernels}
    every = [kernel for code in program.codes for kernel in code.kernels]
    found = launches.only_one_named(one.launch.kernel, every)
    if found is None:
        raise UserError(f"nvcc has no kernel that must be {one.launch.kernel}")
    return owners[found.symbol], found


def begin(code: Code, program: Program, figures: Figures) -> Iterator[Struct]:
    """The events that a job begins with, before those of its launches."""
    yield from figures.constants()
    for kernel in code.kernels:
        yield simulation.Kernel(kernel.symbol, kernel.registers, kernel.static_shared_bytes)
    yield simulation.Chunks(str(program.recording.chunks))


def of_launch(
    one: RecordedLaunch, code: Code, kernel: Kernel, program: Program
) -> Iterator[Struct]:
    """The memory that a launch found, and the launch. Raises UserError if an argument is missing.

    Without the memory, its arrays are made up.
    """
    made = launches.of_kernel(one.launch, kernel)
    places = _places(program)
    yield simulation.Constants(_constants(one, code, program, places).hex())
    yield simulation.Addresses(_addresses(code, places).hex())
    for image in one.memory:
        yield image if one.is_known else replace(image, chunks=())
    for variable in code.variables:
        address = places.get(_path(variable.name))
        if address is not None and not variable.is_constant:
            yield Image(address, variable.size, "variable", ())
    yield made


def _constants(
    one: RecordedLaunch, code: Code, program: Program, places: Mapping[tuple[str, ...], int]
) -> bytes:
    """What the program's constants held at a launch: at first what nvcc wrote."""
    held = bytearray(code.constants)
    for variable in code.variables:
        address = places.get(_path(variable.name))
        if not variable.is_constant or variable.at is None or address is None:
            continue
        now = recorded.bytes_at(one.memory, program.recording.chunks, address, variable.size)
        if now is not None:
            held[variable.at : variable.at + variable.size] = now
    return bytes(held)


def _addresses(code: Code, places: Mapping[tuple[str, ...], int]) -> bytes:
    asked = {one.at: one for one in code.variables if not one.is_constant and one.at is not None}
    table = bytearray(max(asked, default=-_ADDRESS) + _ADDRESS)
    for at, variable in asked.items():
        address = places.get(_path(variable.name), 0)
        table[at : at + _ADDRESS] = address.to_bytes(_ADDRESS, "little")
    return bytes(table)


def _places(program: Program) -> Mapping[tuple[str, ...], int]:
    """Where the program's variables were, but for those of which several have the same name."""
    found: dict[tuple[str, ...], set[int]] = {}
    for name, address in program.variables:
        found.setdefault(_path(name), set()).add(address + program.recording.bias)
    return {path: min(all_) for path, all_ in found.items() if len(all_) == 1}


def _path(symbol: str) -> tuple[str, ...]:
    """A variable's namespaces and name, as every compiler has them.

    nvcc puts static variables and unnamed namespaces into one that is named after the file.
    """
    begin = re.match(r"_ZN?", symbol)
    if begin is None:
        return (symbol,)
    names, at = [], begin.end()
    while found := _NAME.match(symbol, at):
        at = found.end() + int(found[1])
        names.append(symbol[found.end() : at])
    ours = (one for one in names if not one.startswith("_INTERNAL_"))
    return tuple("_GLOBAL__N_1" if one.startswith("_GLOBAL__N_") else one for one in ours)

"""What a recording says, and in whose words: the emulator's, or those of nvcc's machine code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar

from msgspec import Struct, structs

from tilelab.base.errors import UserError
from tilelab.estimate.cubin import Parameter
from tilelab.model import simulation
from tilelab.model.recording import (
    Array,
    HostReads,
    HostStored,
    Launch,
    Left,
    Moved,
    Ran,
    RanLonger,
    Recorded,
    Salt,
    Stored,
    Variables,
)

READS = "its host code reads device memory before it launches a kernel"

# Where recordings have variables and arrays.
VARIABLES = 0x7E0000000000
ARRAYS = 0x7F0000000000

_Stored = TypeVar("_Stored", Stored, HostStored)

# The length of a name in a symbol, and before it an L if the name is static.
_NAME = re.compile(r"L?(\d+)")


@dataclass(frozen=True)
class Kernel:
    """A kernel as nvcc compiled it: its symbol, and what a block takes.

    `most_threads` are those of its `__launch_bounds__`, if it has them.
    """

    symbol: str
    registers: int
    static_shared_bytes: int
    parameters: tuple[Parameter, ...]
    most_threads: int | None = None


@dataclass(frozen=True)
class Trial:
    """What blocks of a launch changed, and before it the host."""

    by_host: tuple[HostStored, ...]
    ran: Ran
    stored: tuple[Stored, ...]


@dataclass(frozen=True)
class Recording:
    """The arrays and launches of a call, with addresses as in any other run.

    There is a trial of each launch if kernels could run. Then what arrays hold depends on `salt`,
    and if all blocks ran, parts of what they hold at the end are `left`, and `longer` has the
    blocks of each launch that ran for far longer than others. `moved` has the bytes that each copy
    and fill of the runtime reads and writes.
    """

    arrays: tuple[Array, ...]
    launches: tuple[Launch, ...]
    trials: tuple[Trial, ...] = ()
    left: tuple[Left, ...] = ()
    moved: tuple[int, ...] = ()
    salt: int = 0
    longer: tuple[tuple[int, ...], ...] = ()


class Places:
    """Where the arrays of a recording are, and where they would be in any other run."""

    def __init__(self) -> None:
        self._begins: list[tuple[int, int, int]] = []  # the newest last
        self._next = ARRAYS

    def add_array(self, address: int, size: int) -> int:
        """The address that it is given."""
        moved = self._next
        self._next += (size + 511) // 512 * 512 + 4096
        self.add(address, size, moved)
        return moved

    def add(self, address: int, size: int, moved: int) -> None:
        self._begins.append((address, size, moved))

    def stored(self, event: _Stored) -> _Stored:
        """The same at its address in any other run."""
        address = event.address.to_bytes(8, "little")
        return structs.replace(event, address=int.from_bytes(self._word(address), "little"))

    def moved(self, value: bytes) -> bytes:
        """An argument with the addresses in it, which are aligned, as in any other run."""
        parts = [value[at : at + 8] for at in range(0, len(value), 8)]
        return b"".join(self._word(one) if len(one) == 8 else one for one in parts)

    def _word(self, word: bytes) -> bytes:
        address = int.from_bytes(word, "little")
        for begin, size, moved in reversed(self._begins):
            # A pointer past the end is one to the array, too.
            if begin <= address <= begin + size:
                return (moved + address - begin).to_bytes(8, "little")
        return word


def read(events: Iterable[Recorded]) -> Recording:
    """Raises UserError if what is launched depends on what nobody computed."""
    arrays, launches, places = [], [], Places()
    by_host: list[HostStored] = []
    left: list[Left] = []
    moves: list[int] = []
    longer: list[tuple[int, ...]] = []
    trials: list[tuple[list[HostStored], Ran, list[Stored]]] = []
    has_read = False
    for event in events:
        match event:
            case Variables():
                places.add(event.address, event.bytes, VARIABLES)
            case Array():
                moved = places.add_array(event.address, event.bytes)
                arrays.append(structs.replace(event, address=moved))
            case HostReads():
                has_read = True
            case Launch():
                if has_read:
                    raise UserError(READS)
                values = map(bytes.fromhex, event.arguments)
                arguments = tuple(places.moved(one).hex() for one in values)
                launches.append(structs.replace(event, arguments=arguments))
            case HostStored():
                by_host.append(places.stored(event))
            case Ran():
                trials.append((by_host, event, []))
                by_host = []
            case RanLonger():
                longer.append(event.blocks)
            case Stored() if trials:
                trials[-1][2].append(places.stored(event))
            case Left():
                left.append(event)
            case Moved():
                moves.append(event.bytes)
    made = (Trial(tuple(before), ran, tuple(stored)) for before, ran, stored in trials)
    return Recording(
        tuple(arrays),
        tuple(launches),
        tuple(made),
        tuple(left),
        tuple(moves),
        longer=tuple(longer),
    )


def for_estimator(
    recording: Recording, symbols: Mapping[int, str], kernels: Sequence[Kernel]
) -> Iterator[Struct]:
    """Events for the estimator. `symbols` are the functions of the program that recorded.

    Raises UserError if nvcc has no such kernel.
    """
    for kernel in kernels:
        yield simulation.Kernel(kernel.symbol, kernel.registers, kernel.static_shared_bytes)
    yield Salt(recording.salt)
    yield from recording.arrays
    launched = of_launches(recording, symbols, kernels)
    for launch, found, trial in zip_longest(recording.launches, launched, recording.trials):
        made = of_kernel(launch, found)
        if trial is None:
            yield made
        elif not trial.ran.blocks:  # nobody asks what they stored
            yield from (*trial.by_host, made)
        else:
            yield from (*trial.by_host, made, trial.ran, *trial.stored)


def of_launches(
    recording: Recording, symbols: Mapping[int, str], kernels: Sequence[Kernel]
) -> list[Kernel]:
    """The kernel of each launch. Raises UserError if nvcc has no such kernel."""
    by_symbol = {portable(one.symbol): one for one in kernels}
    launched = []
    for launch in recording.launches:
        if launch.function:
            found = by_symbol.get(portable(symbols.get(launch.function, "")))
        else:
            found = only_one_named(launch.kernel, kernels)
        if found is None:
            raise UserError(f"nvcc has no kernel that must be {launch.kernel}")
        launched.append(found)
    return launched


def of_kernel(launch: Launch, kernel: Kernel) -> simulation.Launch:
    """A launch that was recorded, of the kernel that it means. Raises UserError."""
    return simulation.Launch(
        kernel.symbol,
        launch.grid,
        launch.block,
        launch.dynamic_shared_bytes,
        _parameters(launch, kernel).hex(),
    )


def only_one_named(name: str, kernels: Iterable[Kernel]) -> Kernel | None:
    """The kernel of this name, if there is only one: its template arguments are not known."""
    last = name.partition("<")[0].rpartition("::")[2]
    spelled = f"{len(last)}{last}"
    found = [one for one in kernels if re.search(rf"(?<!\d){spelled}(?![a-z])", one.symbol)]
    return found[0] if len(found) == 1 else None


def _parameters(launch: Launch, kernel: Kernel) -> bytes:
    """The bytes of the arguments where the machine code expects them. Raises UserError."""
    arguments = [bytes.fromhex(one) for one in launch.arguments]
    if [len(one) for one in arguments] != [one.size for one in kernel.parameters]:
        raise UserError(f"a launch of {launch.kernel} leaves out or converts arguments")
    values = bytearray(max((one.offset + one.size for one in kernel.parameters), default=0))
    for place, value in zip(kernel.parameters, arguments, strict=True):
        values[place.offset : place.offset + place.size] = value
    return bytes(values)


def portable(symbol: str) -> str:
    """A kernel's symbol as all compilers would write it.

    nvcc puts the file into the name of an unnamed namespace, and does not say that a kernel is
    static.
    """
    begin = re.match(r"_ZN?", symbol)
    if begin is None:
        return symbol
    made, at = begin[0], begin.end()
    while found := _NAME.match(symbol, at):
        at = found.end() + int(found[1])
        name = symbol[found.end() : at]
        name = "_GLOBAL__N_1" if name.startswith("_GLOBAL__N_") else name
        made += f"{len(name)}{name}"
    return made + symbol[at:]

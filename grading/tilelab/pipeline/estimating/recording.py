"""Compiles a submission, and writes down the launches of a call without a GPU.

nvcc compiles the machine code, whose time is estimated. What it is launched with comes from the
submission as it is judged, on the emulator, in a program that records (emulator/recording.h).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from signal import SIGKILL, SIGXCPU

import msgspec

from tilelab.backends import nvidia
from tilelab.base.errors import InfraError, UserError
from tilelab.estimate import cubin, ptxas
from tilelab.estimate.figures import Figures
from tilelab.model import stream
from tilelab.model.recording import Recorded
from tilelab.model.stream import End
from tilelab.pipeline import compiler, linker, objects
from tilelab.pipeline.compiler import referee
from tilelab.pipeline.estimating import calls as lab_calls
from tilelab.pipeline.estimating import launches, machine_code
from tilelab.pipeline.estimating.launches import Kernel, Recording
from tilelab.pipeline.estimating.machine_code import STANDARD
from tilelab.pipeline.objects import elf
from tilelab.pipeline.records.stages import Compiled, Inspected
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.sandbox import jail, seccomp

_SECONDS = 10  # of a processor, for a call
_OUT_OF_TIME = {one for end in (SIGKILL, SIGXCPU) for one in (-end, 128 + end)}
_RUNS = 5
_MOST_BYTES = 128 * jail.MIB  # of a recording
# Of addresses: arrays take room in a recording, but no memory.
_ARENA = 16 << 30

_DECODER: msgspec.json.Decoder[Recorded] = msgspec.json.Decoder(Recorded)


@dataclass(frozen=True)
class Trial:
    """What runs while a call is recorded: these blocks of each launch, or all of them.

    What arrays hold depends on the salt, which is not 0. If all blocks run, the recording has a
    page from each address in `left`.
    """

    salt: int
    blocks: Sequence[Sequence[int]] | None
    left: Sequence[int] = ()
    seconds: int = _SECONDS

    def environment(self) -> Mapping[str, str]:
        of_launches = [",".join(map(str, one)) for one in self.blocks or ()]
        return {
            "TILELAB_SALT": str(self.salt),
            "TILELAB_BLOCKS": "all" if self.blocks is None else " ".join(of_launches),
            "TILELAB_LEFT": " ".join(map(str, self.left)),
        }


@dataclass(frozen=True)
class MachineCode:
    """What nvcc made: the text of the code, its kernels, and what its constants hold at first."""

    text: Path
    kernels: tuple[Kernel, ...]
    constants: bytes


@dataclass(frozen=True)
class Recorder:
    """A submission's machine code, and a program that records one of some calls.

    `compiled` is what the program is linked of. `symbols` are the program's functions by their
    addresses, and `resources` says what nvcc's kernels take, by the same addresses.
    """

    compiled: Compiled
    program: Path
    symbols: Mapping[int, str]
    resources: str
    machine: MachineCode

    @property
    def toolchain(self) -> Toolchain:
        return self.compiled.toolchain


def compile_calls(
    inspected: Inspected,
    calls: tuple[str, ...],
    gpu: Figures,
    toolchain: Toolchain,
    work: Path,
    *,
    is_submission: bool = False,
) -> Recorder:
    """Compiles in the empty folder `work`. The program makes one of the calls.

    A submission has to be an object that could become a worker. Raises CompileError, Rejected or
    InfraError.
    """
    on_gpu, on_host = work / "gpu", work / "host"
    on_gpu.mkdir()
    on_host.mkdir()
    machine = _machine_code(inspected, gpu, on_gpu)
    compiled = compiler.compile_text(inspected, toolchain, on_host)
    if is_submission:
        compiled = objects.inspect(compiled)
    main = lab_calls.main_of(inspected.lab, calls, toolchain)
    return _linked(compiled, main, machine, on_host)


def _machine_code(inspected: Inspected, gpu: Figures, work: Path) -> MachineCode:
    nvcc = nvidia.nvcc()
    if nvcc is None:
        raise InfraError("nvcc is missing.")
    major, minor = gpu.capability
    target = f"sm_{major}{minor}"
    # As far as nvcc refuses programs: g++ compiles the host code for the emulator.
    template = [
        *(str(nvcc), "-ccbin", nvidia.host_compiler(), "-std=c++20", "-w", "-O3"),
        *(f"-arch={target}", "-I{include}", "-isystem", str(STANDARD)),
        *("-Xptxas", "-v", "--keep", "-cuda", "{source}", "-o", "{object}"),
    ]
    readable = [*nvidia.installation(nvcc), STANDARD]
    compiled, output = compiler.run(inspected.text, inspected.lab, template, readable, work)
    referee.accept(inspected)
    made, code = compiled.with_suffix(f".{target}.cubin"), compiled.with_name("code.txt")
    machine_code.write_disassembly(made, code, "-hex")
    try:
        data = made.read_bytes()
        return MachineCode(code, kernels_of(data, output), cubin.constants(data))
    except (OSError, ValueError) as error:
        raise InfraError(f"{made.name}: {error}") from error


def kernels_of(data: bytes, output: str) -> tuple[Kernel, ...]:
    """The kernels of a cubin, of which ptxas says something in its output. Raises ValueError."""
    parameters, most = cubin.parameters(data), cubin.most_threads(data)
    return tuple(
        Kernel(
            one.name,
            one.registers,
            one.static_shared_bytes,
            tuple(parameters.get(one.name, ())),
            most.get(one.name),
        )
        for one in ptxas.read(output)
    )


def with_other_calls(recorder: Recorder, calls: tuple[str, ...], work: Path) -> Recorder:
    """The same submission in a program that makes other calls. Raises InfraError."""
    folder = work / "other_calls"
    folder.mkdir()
    main = lab_calls.main_once(recorder.compiled.lab, calls, recorder.toolchain, folder)
    return _linked(recorder.compiled, main, recorder.machine, folder)


def _linked(compiled: Compiled, main: Path, machine: MachineCode, work: Path) -> Recorder:
    """Makes the program of the submission and a main function, in `work`."""
    program = linker.link_with(main, compiled.object, compiled.toolchain, work)
    symbols = functions_of(program)
    return Recorder(compiled, program, symbols, _resources(symbols, machine.kernels), machine)


def functions_of(program: Path) -> dict[int, str]:
    """The functions of a program by their addresses. Raises InfraError."""
    try:
        return elf.functions(program)
    except (OSError, ValueError) as error:
        raise InfraError(f"{program.name} cannot be read: {error}.") from error


def record(
    recorder: Recorder, call: int, multiprocessors: float, tried: Trial | None = None
) -> Recording:
    """The arrays and launches of a call. Raises UserError if it does not end well.

    With `tried`, the recording has trials.
    """
    environment = {
        "TILELAB_CALL": str(call),
        "TILELAB_MULTIPROCESSORS": f"{multiprocessors:.0f}",
        "TILELAB_KERNELS": recorder.resources,
        "LC_ALL": "C.UTF-8",
    }
    if tried is not None:
        environment |= tried.environment()
    seconds = tried.seconds if tried else _SECONDS
    toolchain = recorder.toolchain
    if not seccomp.works(toolchain.confine):
        environment["TILELAB_UNFILTERED"] = "1"
    finished = jail.run_confined(
        recorder.program,
        toolchain.confine,
        toolchain.backend,
        environment,
        cpu_seconds=seconds,
        addresses=_ARENA,
        keep=_MOST_BYTES,
    )
    if finished.status in _OUT_OF_TIME:
        raise UserError(f"it takes more than {seconds} s of a processor")
    if finished.status != 0:
        raise UserError(f"its host code ended with status {finished.status}")
    return replace(read(finished.output), salt=tried.salt if tried else 0)


def read(text: str) -> Recording:
    """The recording that a submission's process wrote. Raises UserError if it is none."""
    try:
        events = stream.read(text, _DECODER)
    except msgspec.ValidationError as error:
        raise UserError(f"its recording cannot be used: {error}") from error
    except msgspec.DecodeError:  # half a line
        events = []
    if events and isinstance(events[-1], End):
        return launches.read(events)
    raise UserError("its host code ended before the call did, or launches too many kernels")


def record_steadily(recorder: Recorder, call: int, multiprocessors: float) -> Recording:
    """The same from several runs, which have to agree. Raises UserError.

    Addresses of host memory are random, so host code could launch less now and then, and hope.
    """
    found = {record(recorder, call, multiprocessors) for _ in range(_RUNS)}
    if len(found) > 1:
        raise UserError("its host code does not make the same launches each time")
    return found.pop()


def _resources(symbols: Mapping[int, str], kernels: Sequence[Kernel]) -> str:
    """An entry for each kernel, as emulator/recording.h has them."""
    known = {launches.portable(one.symbol): one for one in kernels}
    return " ".join(
        f"{address:x}:{kernel.registers}:{kernel.static_shared_bytes}"
        for address, symbol in symbols.items()
        if (kernel := known.get(launches.portable(symbol)))
    )

"""Has nvcc compile a submission, and writes down the launches of a call without a GPU."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.backends.cuda import Cuda
from tilelab.backends.emulator import Emulator
from tilelab.base.errors import InfraError, UserError
from tilelab.base.text import shorten
from tilelab.estimate import cubin, ptxas
from tilelab.estimate.figures import Figures
from tilelab.model.lab import Lab
from tilelab.pipeline import build, objectcheck, referee
from tilelab.pipeline.profiling import machine_code, recorder
from tilelab.pipeline.profiling.machine_code import STANDARD
from tilelab.sandbox import jail, seccomp

_SECONDS = 10  # of a processor, for the host code of a call
_RUNS = 5
_MOST_BYTES = 64 * jail.MIB  # of a recording
# The recorder knows the file by this name.
_KERNELS = "kernels.txt"


@dataclass(frozen=True)
class Compiled:
    """What nvcc made of a submission: a program of its host code, and the machine code.

    `object` is what the program is linked of. `kernels` has a line about each kernel, as the
    estimator reads it.
    """

    program: Path
    object: Path
    code: Path
    kernels: str


def missing() -> str | None:
    """What this machine needs to estimate a time, None if nothing is missing."""
    if lacking := machine_code.missing():
        return lacking
    return None if nvidia.nvdisasm() else f"nvdisasm: {machine_code.NVDISASM}"


def compile_calls(
    text: str,
    lab: Lab,
    calls: tuple[str, ...],
    gpu: Figures,
    work: Path,
    *,
    is_submission: bool = False,
) -> Compiled:
    """Compiles in the empty folder `work`. The program makes one of the calls.

    A submission has to be an object that could become a worker. Raises CompileError, Rejected or
    InfraError.
    """
    nvcc = nvidia.nvcc()
    if nvcc is None:
        raise InfraError("nvcc is missing.")
    major, minor = gpu.capability
    target = f"sm_{major}{minor}"
    host = nvidia.host_compiler()
    template = [
        *(str(nvcc), "-ccbin", host, "-std=c++20", "-w", "-O3", f"-arch={target}"),
        *("-I{include}", "-isystem", str(STANDARD)),
        *("-Xptxas", "-v", "--keep", "-c", "{source}", "-o", "{object}"),
    ]
    readable = [*nvidia.installation(nvcc), STANDARD]
    compiled, output = build.run_compiler(text, lab, template, readable, work)
    referee.accept(text, lab)
    folder = compiled.parent
    made = folder / f"{lab.name}.{target}.cubin"
    kernels, recorded = _describe(made, output)
    (folder / _KERNELS).write_text(recorded, encoding="utf-8")
    main = recorder.main_of(lab, calls, nvcc)
    if is_submission:
        _make_harmless(compiled, main, lab)
    program, code = folder / "record", folder / "code.txt"
    _link(compiled, main, program, nvcc)
    machine_code.write_disassembly(made, code, "-hex")
    return Compiled(program, compiled, code, kernels)


def _make_harmless(compiled: Path, main: Path, lab: Lab) -> None:
    """Checks an object as that of a worker is checked, and hides all but the lab's functions.

    So it can neither name nor replace what writes the recording. Raises Rejected.
    """
    entries, allowed = objectcheck.wanted_entries(main), Cuda().symbols()
    objectcheck.check(compiled, entries, f"{lab.name}.cu", allowed)
    build.localize(compiled, [*entries, *allowed.kept])


def with_other_calls(compiled: Compiled, lab: Lab, calls: tuple[str, ...], work: Path) -> Compiled:
    """The same submission in a program that makes other calls. Raises InfraError."""
    nvcc = nvidia.nvcc()
    if nvcc is None:
        raise InfraError("nvcc is missing.")
    program = compiled.object.with_name("record_others")
    _link(compiled.object, recorder.main_once(lab, calls, nvcc, work), program, nvcc)
    return replace(compiled, program=program)


def record(compiled: Compiled, call: int, multiprocessors: float, confine: Path) -> str:
    """The arrays and launches of a call, as lines. Raises UserError if it does not end well."""
    environment = {
        "TILELAB_CALL": str(call),
        "TILELAB_MULTIPROCESSORS": f"{multiprocessors:.0f}",
        "LC_ALL": "C.UTF-8",
    }
    if not seccomp.works(confine):
        environment["TILELAB_UNFILTERED"] = "1"
    finished = jail.run_confined(
        compiled.program, confine, Emulator(), environment, cpu_seconds=_SECONDS, keep=_MOST_BYTES
    )
    if finished.status != 0:
        raise UserError(f"its host code ended with status {finished.status}")
    lines, end, rest = finished.output.rpartition("end\n")
    if not end or rest:
        raise UserError("its host code ended before the call did, or launches too many kernels")
    return lines


def record_steadily(compiled: Compiled, call: int, multiprocessors: float, confine: Path) -> str:
    """The same from several runs, which have to agree. Raises UserError.

    Addresses are random, so host code could launch less now and then, and hope.
    """
    found = {record(compiled, call, multiprocessors, confine) for _ in range(_RUNS)}
    if len(found) > 1:
        raise UserError("its host code does not make the same launches each time")
    return found.pop()


def _describe(made: Path, output: str) -> tuple[str, str]:
    """The lines about kernels for the estimator, and for the recorder, with parameters."""
    try:
        parameters = cubin.parameters(made.read_bytes())
    except (OSError, ValueError) as error:
        raise InfraError(f"{made.name}: {error}") from error
    kernels, recorded = "", ""
    for one in ptxas.read(output):
        line = f"kernel {one.name} {one.registers} {one.static_shared_bytes}"
        places = "".join(f" {it.offset}:{it.size}" for it in parameters.get(one.name, []))
        kernels += f"{line}\n"
        recorded += f"{line}{places}\n"
    return kernels, recorded


def _link(compiled: Path, main: Path, program: Path, nvcc: Path) -> None:
    """Makes a program of a submission, in its folder, where the recorder's file of kernels is."""
    folder, ours = compiled.parent, [main, recorder.runtime(nvcc)]
    listed = ["ld", "-r", "-b", "binary", "-z", "noexecstack", _KERNELS, "-o", "kernels.o"]
    host = [nvidia.host_compiler(), *map(str, (compiled, *ours)), "kernels.o", "-o", str(program)]
    for words in (listed, host):
        finished = jail.run_compiler(words, folder, ours)
        if finished.status != 0:
            said = shorten(finished.output.strip(), 200)
            raise InfraError(f"{Path(words[0]).name} failed: {said}")

"""Has nvcc compile a submission, and writes down the launches of a call without a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base.errors import InfraError, UserError
from tilelab.base.text import shorten
from tilelab.estimate import cubin, ptxas
from tilelab.estimate.figures import Figures
from tilelab.pipeline import build, referee
from tilelab.pipeline.profiling import machine_code, recorder
from tilelab.pipeline.profiling.machine_code import STANDARD
from tilelab.sandbox import jail
from tilelab.score.lab import Lab

_SECONDS = 10  # of a processor, for the host code of a call


@dataclass(frozen=True)
class Compiled:
    """What nvcc made of a submission: a program of its host code, and the machine code.

    `kernels` has a line about each kernel, as the estimator reads it.
    """

    program: Path
    code: Path
    kernels: str


def missing() -> str | None:
    """What this machine needs to estimate a time, None if nothing is missing."""
    if lacking := machine_code.missing():
        return lacking
    return None if nvidia.nvdisasm() else f"nvdisasm: {machine_code.NVDISASM}"


def compile_calls(
    text: str, lab: Lab, calls: tuple[str, ...], gpu: Figures, work: Path
) -> Compiled:
    """Compiles in the empty folder `work`. The program's first argument is the number of a call.

    Raises CompileError or InfraError.
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
    (folder / "kernels.txt").write_text(recorded, encoding="utf-8")
    program, code = folder / "record", folder / "code.txt"
    ours = recorder.objects(lab, calls, nvcc)
    _link([host, str(compiled), *map(str, ours), "-o", str(program)], folder, ours)
    machine_code.write_disassembly(made, code, "-hex")
    return Compiled(program, code, kernels)


def record(compiled: Compiled, call: int, gpu: Figures) -> str:
    """The arrays and launches of a call, as lines. Raises UserError if it does not end well."""
    folder = compiled.program.parent
    words = [
        *("env", f"TILELAB_KERNELS={folder / 'kernels.txt'}"),
        f"TILELAB_MULTIPROCESSORS={gpu.values['multiprocessors']:.0f}",
        *("sh", "-c", 'exec "$0" "$1" > "$2"', str(compiled.program), str(call)),
        str(folder / "launches.txt"),
    ]
    finished = jail.run_compiler(words, folder, [], cpu_seconds=_SECONDS)
    if finished.status != 0:
        raise UserError(f"its host code ended with status {finished.status}")
    return (folder / "launches.txt").read_text(encoding="utf-8", errors="replace")


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


def _link(words: list[str], folder: Path, readable: list[Path]) -> None:
    finished = jail.run_compiler(words, folder, readable)
    if finished.status != 0:
        raise InfraError(f"{Path(words[0]).name} failed: {shorten(finished.output.strip(), 200)}")

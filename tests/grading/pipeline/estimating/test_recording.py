"""The launches of a call, written down without a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import needs_nvcc, needs_nvdisasm
from tilelab.base.errors import CompileError, Rejected, UserError
from tilelab.estimate import figures
from tilelab.labs import lab
from tilelab.model.recording import Array
from tilelab.model.simulation import Launch
from tilelab.pipeline import intake, texts
from tilelab.pipeline.estimating import launches, recording
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recording import Recorder
from tilelab.pipeline.harness import toolchain

GPU = figures.known()[0]
CALLS = (
    "diff(bits(4000), zeros(4000), 1000)",
    "diff(bits(0), zeros(0), 0)",
)
SOURCE = """\
#include "diff.h"

namespace {
__global__ void subtract(const int* in, int* out, int n) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[0] + n;
}
}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = 0, multiprocessors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, subtract, 256, 1024);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  int* work = nullptr;
  cudaMalloc(&work, 64);
  subtract<<<dim3(multiprocessors, 2), 256, 1024>>>(in, work, n);
  subtract<<<blocks, 64>>>(work, out, -1);
  cudaFree(work);
}
"""


def compiled(work: Path, source: str = SOURCE) -> Recorder:
    tool = toolchain.prepare("emulator", ["diff"])
    return recording.compile_calls(
        texts.inspect(intake.of(source), lab.load("diff")),
        CALLS,
        GPU,
        tool,
        work,
        is_submission=True,
    )


def job(made: Recorder, call: int) -> tuple[list[Array], list[Launch]]:
    """What the estimator reads of the arrays and launches."""
    events = list(launches.for_estimator(record(made, call), made.symbols, made.machine.kernels))
    arrays = [one for one in events if isinstance(one, Array)]
    return arrays, [one for one in events if isinstance(one, Launch)]


def record(made: Recorder, call: int) -> Recording:
    return recording.record(made, call, 132)


@needs_nvcc
@needs_nvdisasm
def test_launches_have_their_shape_and_arguments(tmp_path: Path) -> None:
    made = compiled(tmp_path)
    arrays, (first, second) = job(made, 0)
    of_call = {one.contents: one.address for one in arrays if one.bytes == 4000}
    (work,) = (one.address for one in arrays if one.bytes == 64)
    assert (first.grid, first.block) == ((132, 2, 1), (256, 1, 1))
    assert first.dynamic_shared_bytes == 1024
    assert (second.grid, second.block) == ((8, 1, 1), (64, 1, 1))  # 2,048 threads have room
    assert second.dynamic_shared_bytes == 0

    def little(address: int) -> str:
        return address.to_bytes(8, "little").hex()

    assert first.parameters == little(of_call["bits"]) + little(work) + "e8030000"
    assert second.parameters == little(work) + little(of_call["zeros"]) + "ffffffff"
    assert first.kernel in {one.symbol for one in made.machine.kernels}
    assert first.kernel in made.machine.text.read_text()


@needs_nvcc
@needs_nvdisasm
def test_a_call_may_launch_nothing(tmp_path: Path) -> None:
    assert not job(compiled(tmp_path), 1)[1]


@needs_nvcc
@needs_nvdisasm
def test_host_code_that_ends_badly_is_an_error_of_the_file(tmp_path: Path) -> None:
    source = SOURCE.replace("if (n == 0) return;", "*(volatile int*)nullptr = n;")
    with pytest.raises(UserError, match="its host code ended with status"):
        record(compiled(tmp_path, source), 0)


@needs_nvcc
@needs_nvdisasm
def test_host_code_that_ends_early_leaves_no_recording(tmp_path: Path) -> None:
    source = f"#include <cstdio>\n#include <cstdlib>\n{SOURCE}".replace(
        "if (n == 0) return;", 'puts("end"); fflush(stdout); exit(0);'
    )
    with pytest.raises(UserError, match="ended before the call did"):
        record(compiled(tmp_path, source), 0)


@needs_nvcc
@needs_nvdisasm
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            'extern "C" long write(int, const void*, size_t);\n'
            'long x() { return write(3, "", 1); }',
            "`write`",
        ),
        (
            "namespace tilelab::emulator::recording { void finish(); }\n"
            "void x() { tilelab::emulator::recording::finish(); }",
            "tilelab is reserved",
        ),
        (
            "namespace tilelab::emulator::recording { int begin() { return 1; } }",
            "tilelab is reserved",
        ),
        ("struct Early { Early() { cudaFree(nullptr); } } early;", "runs before the tests"),
    ],
)
def test_an_object_that_could_reach_the_recorder_is_refused(
    more: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(Rejected, match=said):
        compiled(tmp_path, f"{SOURCE}\n{more}\n")


@needs_nvcc
@needs_nvdisasm
def test_recordings_that_differ_are_no_recording(tmp_path: Path) -> None:
    made = compiled(
        tmp_path, SOURCE.replace("<<<blocks, 64>>>", "<<<(size_t)&work / 16 % 64 + 1, 64>>>")
    )
    with pytest.raises(UserError, match="not make the same launches each time"):
        recording.record_steadily(made, 0, 132)


@needs_nvcc
@needs_nvdisasm
def test_a_file_that_nvcc_refuses_does_not_compile(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="nothing_of_this_name"):
        compiled(tmp_path, SOURCE.replace("int blocks = 0", "int blocks = nothing_of_this_name"))


@needs_nvcc
@needs_nvdisasm
def test_the_whole_runtime_can_be_called(tmp_path: Path) -> None:
    source = SOURCE.replace(
        "cudaFree(work);",
        "cudaStream_t stream; cudaEvent_t event; cudaDeviceProp device;\n"
        "  cudaStreamCreate(&stream); cudaEventCreate(&event);\n"
        "  cudaMemsetAsync(out, 0, 4, stream);\n"
        "  cudaGetDeviceProperties(&device, 0);\n"
        "  subtract<<<device.multiProcessorCount, 32, 4, stream>>>(in, out, n);\n"
        "  cudaEventRecord(event, stream); cudaEventDestroy(event); cudaStreamDestroy(stream);",
    )
    *_, last = job(compiled(tmp_path, source), 0)[1]
    assert (last.grid, last.block) == ((132, 1, 1), (32, 1, 1))
    assert last.dynamic_shared_bytes == 4


@needs_nvcc
@needs_nvdisasm
def test_what_a_kernel_did_not_compute_cannot_be_read(tmp_path: Path) -> None:
    read = "int count = 0; cudaMemcpy(&count, out, 4, cudaMemcpyDeviceToHost);"
    after = compiled(tmp_path, SOURCE.replace("cudaFree(work);", f"{read} cudaFree(work);"))
    assert len(record(after, 0).launches) == 2
    before = SOURCE.replace("subtract<<<blocks", f"{read} subtract<<<count + blocks")
    (tmp_path / "before").mkdir()
    with pytest.raises(UserError, match="reads device memory before it launches a kernel"):
        record(compiled(tmp_path / "before", before), 0)


BEGIN = '{"type": "begin", "version": 1}\n'
END = '{"type": "end"}\n'
ARRAY = '{"type": "array", "address": 4096, "bytes": 64, "contents": "%s"}\n'
FORGED = (
    '{"type": "launch", "function": 1, "kernel": "k", "grid": [1, 1, 1], "block": [1, 1, 1], '
    '"dynamic_shared_bytes": 0, "arguments": [%s]}\n'
)


def test_a_recording_is_read_with_addresses_of_its_own() -> None:
    argument = '"0810000000000000", "ff"'
    found = recording.read(BEGIN + ARRAY % "bits" + FORGED % argument + END)
    (array,), (launch,) = found.arrays, found.launches
    assert array.address != 4096
    assert launch.arguments == ((array.address + 8).to_bytes(8, "little").hex(), "ff")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "ended before the call did"),
        (BEGIN, "ended before the call did"),
        (BEGIN + ARRAY % "bits" + END + '{"type": "re', "ended before the call did"),
        (BEGIN + END + ARRAY % "bits", "ended before the call did"),
        (END, "cannot be used"),
        ('{"type": "begin", "version": 2}\n' + END, "reads version 1"),
        (BEGIN + ARRAY % "words" + END, "cannot be used"),
        (BEGIN + ARRAY.replace("64", "-1") % "bits" + END, "cannot be used"),
        (BEGIN + ARRAY.replace("64", "1" + 30 * "0") % "bits" + END, "cannot be used"),
        (BEGIN + FORGED % '"0g"' + END, "cannot be used"),
        (BEGIN + FORGED % "1" + END, "cannot be used"),
        (BEGIN + FORGED.replace("[1, 1, 1]", "[1, 1]", 1) % "" + END, "cannot be used"),
        (BEGIN + '{"type": "end", "a": ' + 100_000 * "[" + 100_000 * "]" + "}\n", "cannot be used"),
    ],
)
def test_a_recording_that_somebody_forged_is_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        recording.read(text)


TEMPLATE = """\
#include "diff.h"

template <class T, class N>
__global__ void scale(const T* in, T* out, N n, int by%(default)s) {
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] * by;
}

void diff(const int* in, int* out, int n) { scale<<<1, 64>>>(in, out, %(arguments)s); }
"""


@needs_nvcc
@needs_nvdisasm
@pytest.mark.parametrize(
    ("arguments", "default", "said"),
    [
        ("n, 3", "", None),
        ("n, 3LL", "", "leaves out or converts arguments"),
        ("n", " = 3", "leaves out or converts arguments"),
        ("1u, 3); scale<<<1, 64>>>(in, out, n, 3", "", None),
        ("1u, 3); scale<<<1, 64>>>(in, out, n, 3LL", "", "no kernel that must be scale"),
    ],
)
def test_a_kernel_with_deduced_arguments_is_found(
    arguments: str, default: str, said: str | None, tmp_path: Path
) -> None:
    made = compiled(tmp_path, TEMPLATE % {"arguments": arguments, "default": default})
    if said is None:
        *_, launch = job(made, 0)[1]
        assert launch.parameters.endswith("e803000003000000")
        return
    with pytest.raises(UserError, match=said):
        job(made, 0)


@needs_nvcc
@needs_nvdisasm
def test_registers_and_shared_memory_limit_the_blocks(tmp_path: Path) -> None:
    source = SOURCE.replace("extern __shared__ int tile[];", "__shared__ int tile[6000];").replace(
        "void subtract", "void __launch_bounds__(1024, 1) subtract"
    )
    *_, last = job(compiled(tmp_path, source), 0)[1]
    # 233,472 bytes are enough for 8 times 24,000 + 1,024 of its own and 1,024 reserved.
    assert last.grid[0] == 8
    source = source.replace("6000", "7000")
    (tmp_path / "more").mkdir()
    made = compiled(tmp_path / "more", source)
    *_, last = job(made, 0)[1]
    assert last.grid[0] == 7


@needs_nvcc
@needs_nvdisasm
def test_copies_and_fills_are_written_down(tmp_path: Path) -> None:
    source = SOURCE.replace(
        "cudaFree(work);",
        """cudaMemsetAsync(work, 0, 64);
  cudaMemset2D(work, 16, 0, 8, 3);
  cudaMemcpyAsync(work, in, 48, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(work, 16, in, 8, 8, 2, cudaMemcpyDeviceToDevice);
  cudaMemset(work, 0, 0);
  cudaFree(work);""",
    )
    assert record(compiled(tmp_path, source), 0).moved == (64, 24, 96, 32)
    (tmp_path / "none").mkdir()
    assert record(compiled(tmp_path / "none"), 0).moved == ()

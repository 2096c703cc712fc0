"""`tilelab estimate` as a user runs it, and with which data launches are estimated."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import typed
from support import needs_nvcc, needs_nvdisasm
from tilelab.estimate import figures
from tilelab.estimate.figures import Figures
from tilelab.model.program_estimate import EstimatedLaunch
from tilelab.programs import compiling, estimating, running, tools
from tilelab.programs.estimating import Limits

COPY = """
#include <cstdio>
__global__ void copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
int main(int argc, char** argv) {
  const int n = 1 << 24;
  float *in, *out;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMemset(in, 0, n * 4);
  for (int i = 0; i < 3; ++i) copy<<<n / 256, 256>>>(in, out, n);
  copy<<<1, 256>>>(in, out, 256);
  cudaDeviceSynchronize();
  printf("%d arguments\\n", argc - 1);
  return 3;
}
"""

# A thread goes round as often as the data say, and takes words from where they say.
BY_DATA = """
#include <vector>
__global__ void walk(const int* steps, const int* next, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i;
  for (int k = 0; k < steps[i]; ++k) at = next[at];
  out[i] = at;
}
int main() {
  const int n = 1 << 20;
  std::vector<int> h_steps(n, STEPS), h_next(n);
  for (int i = 0; i < n; ++i) h_next[i] = (i + 7919) % n;
  int *steps, *next, *out;
  cudaMalloc(&steps, n * 4);
  cudaMalloc(&next, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMemcpy(steps, h_steps.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(next, h_next.data(), n * 4, cudaMemcpyHostToDevice);
  walk<<<n / 256, 256>>>(steps, next, out, n);
  cudaDeviceSynchronize();
}
"""

# How long each kernel takes depends on a variable that only the program's run can tell.
VARIABLES = """
__constant__ int rounds[2];
static __device__ int more;
namespace { __constant__ int hidden = 1; }
__device__ int* table;

template <class T> __global__ void by_constant(T* out) {
  T sum = threadIdx.x;
  for (int i = 0; i < rounds[1] * hidden; ++i) sum = sum * sum + i;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
namespace {
__global__ void by_variable(float* out) {
  float sum = threadIdx.x;
  for (int i = 0; i < more; ++i) sum = sum * sum + i;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
}
static __global__ void by_pointer(float* out) {
  float sum = threadIdx.x;
  for (int i = 0; i < table[2]; ++i) sum = sum * sum + i;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
void elsewhere(float* out);
int main() {
  float* out;
  cudaMalloc(&out, 1 << 20);
  int h[4] = {1, ROUNDS, ROUNDS, 1};
  int* array;
  cudaMalloc(&array, sizeof h);
  cudaMemcpy(array, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(table, &array, sizeof array);
  cudaMemcpyToSymbol(rounds, h, 2 * sizeof(int));
  cudaMemcpyToSymbol(more, h + 1, sizeof(int));
  by_constant<float><<<132, 256>>>(out);
  by_variable<<<132, 256>>>(out);
  by_pointer<<<132, 256>>>(out);
  elsewhere(out);
  cudaDeviceSynchronize();
}
"""
ELSEWHERE = """
template <class F> __global__ void apply(float* out, F f) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = f(threadIdx.x);
}
struct Rounds {
  int count;
  __device__ float operator()(float sum) const {
    for (int i = 0; i < count; ++i) sum = sum * sum + i;
    return sum;
  }
};
void elsewhere(float* out) { apply<<<132, 256>>>(out, Rounds{ROUNDS}); }
"""

GRID_BY_DEVICE = """
__global__ void work(float* out) { out[blockIdx.x] = 1; }
int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  float* out;
  cudaMalloc(&out, 4096);
  work<<<device.multiProcessorCount, 32>>>(out);
}
"""

PINNED = """
__global__ void twice(float* a) { a[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  float* a;
  ALLOCATE(&a, 1 << 20);
  twice<<<1024, 256>>>(a);
  cudaDeviceSynchronize();
}
"""


def run(
    folder: Path, *words: str, text: str, command: str = "estimate", **more: str
) -> subprocess.CompletedProcess[str]:
    (folder / "a.cu").write_text(text)
    return typed.run(command, *words, cwd=folder, env=typed.environment(columns=80, **more))


def h100() -> Figures:
    found = figures.of("NVIDIA H100")
    assert found is not None
    return found


def estimates(
    folder: Path, *texts: str, flags: tuple[str, ...] = (), most_bytes: int = 1 << 30
) -> list[EstimatedLaunch]:
    """The launches of a program whose files have these texts."""
    files = [folder / f"{number}.cu" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    sources = compiling.Sources(files, flags)
    prepared = tools.prepare(None, estimates=True)
    work = folder / f"work{len(list(folder.iterdir()))}"
    work.mkdir()
    program = compiling.compile_program(sources, prepared, work, checked=False)
    plan = estimating.plan(h100(), Limits(300, most_bytes), work)
    running.run(program, [], running.Watch(60.0, recording=plan.recording), prepared, work)
    found = estimating.estimate(sources, program, plan, prepared)
    return list(found.launches)


def milliseconds(one: EstimatedLaunch) -> float:
    assert one.milliseconds is not None, one.missing
    return one.milliseconds


@needs_nvcc
@needs_nvdisasm
def test_each_shape_of_launch_gets_an_estimate(tmp_path: Path) -> None:
    ended = run(tmp_path, "--gpu", "H100", "a.cu", "--", "x", "--gpu", text=COPY)
    assert ended.returncode == 3
    assert ended.stderr.endswith("2 arguments\n")
    first, second = re.split(r"^(?=copy<<<)", ended.stdout, flags=re.MULTILINE)[1:]
    assert first.startswith("copy<<<65536, 256>>>, 3 launches\n")
    assert "ESTIMATED on an NVIDIA H100 80GB HBM3" in first
    assert "Limited by latency: 3 KiB in flight" in first
    assert "of what warps wait for: a.cu:5 `if (i < n) out[i] = in[i];`" in first
    assert "occupancy 100% on" in first
    assert second.startswith("copy<<<1, 256>>>\n")
    assert "with the data that it had in this run" in second


@needs_nvcc
@needs_nvdisasm
def test_a_launch_is_estimated_with_the_data_that_it_finds(tmp_path: Path) -> None:
    (short,) = estimates(tmp_path, BY_DATA, flags=("-DSTEPS=10",))
    (long,) = estimates(tmp_path, BY_DATA, flags=("-DSTEPS=100",))
    assert 3 < milliseconds(long) / milliseconds(short) < 20
    assert not short.is_made_up


@needs_nvcc
@needs_nvdisasm
def test_without_its_data_such_a_launch_has_no_estimate(tmp_path: Path) -> None:
    (one,) = estimates(tmp_path, BY_DATA, flags=("-DSTEPS=10",), most_bytes=0)
    assert one.missing is not None
    assert one.is_made_up


@needs_nvcc
@needs_nvdisasm
def test_variables_hold_what_they_held_in_the_run(tmp_path: Path) -> None:
    few = estimates(tmp_path, VARIABLES, ELSEWHERE, flags=("-DROUNDS=100",))
    many = estimates(tmp_path, VARIABLES, ELSEWHERE, flags=("-DROUNDS=10000",))
    names = ["by_constant<float>", "by_variable", "by_pointer", "apply"]
    assert [one.kernel.replace(" ", "") for one in few] == names
    for one, other in zip(few, many, strict=True):
        assert milliseconds(other) / milliseconds(one) > 10, one.kernel


@needs_nvcc
@needs_nvdisasm
def test_the_program_sees_the_gpu_that_it_is_estimated_for(tmp_path: Path) -> None:
    (one,) = estimates(tmp_path, GRID_BY_DEVICE)
    assert one.grid == (132, 1, 1)


@needs_nvcc
@needs_nvdisasm
def test_memory_of_the_host_is_no_memory_of_the_gpu(tmp_path: Path) -> None:
    (pinned,) = estimates(tmp_path, PINNED, flags=("-DALLOCATE=cudaMallocHost",))
    assert "page-locked memory of the host" in (pinned.missing or "")
    (managed,) = estimates(tmp_path, PINNED, flags=("-DALLOCATE=cudaMallocManaged",))
    assert managed.is_managed
    assert milliseconds(managed) > 0


# Why is the second one slower? Its blocks need so much shared memory that only a few fit.
BIG_SHARED = """
template <int words> __global__ void reverse(const float* a, float* o) {
  __shared__ float s[words];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads();
  o[i] = s[63 - threadIdx.x];
}
int main() {
  const int n = 1 << 18;
  float *a, *o;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&o, n * 4);
  cudaMemset(a, 0, n * 4);
  reverse<64><<<n / 64, 64>>>(a, o);
  reverse<12000><<<n / 64, 64>>>(a, o);
  cudaDeviceSynchronize();
}
"""

HOT_WORD = """
__global__ void dot(const float* a, const float* b, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float product = a[i] * b[i];
  atomicAdd(o, product);
}
int main() {
  const int n = 1 << 18;
  float *a, *o;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&o, 4);
  cudaMemset(a, 0, n * 4);
  dot<<<n / 256, 256>>>(a, a, o, n);
  cudaDeviceSynchronize();
}
"""


@needs_nvcc
@needs_nvdisasm
def test_a_profile_says_why_blocks_with_much_shared_memory_are_slow(tmp_path: Path) -> None:
    ended = run(tmp_path, "--profile", "a.cu", text=BIG_SHARED, command="run")
    assert ended.returncode == 0
    small, big = ended.stderr.split("reverse<")[1:]
    assert "shared loads: requests" in small
    assert "limited by shared memory" not in small
    assert "4 blocks of 2 warps on a multiprocessor, limited by shared memory" in big
    assert "What if a block took less shared memory, so that 32 were there at once?" in big


@needs_nvcc
@needs_nvdisasm
def test_atomics_name_the_line_of_the_program(tmp_path: Path) -> None:
    ended = run(tmp_path, "--profile", "a.cu", text=HOT_WORD, command="run")
    assert "Limited by atomics, which take turns" in ended.stderr
    assert "of the atomics' turns: a.cu:6 `atomicAdd(o, product);`" in ended.stderr
    assert ".h:" not in ended.stderr


def test_a_profile_without_nvcc_says_what_estimates_need(tmp_path: Path) -> None:
    ended = run(tmp_path, "--profile", "a.cu", text=HOT_WORD, command="run", TILELAB_NVCC="none")
    assert ended.returncode == 0
    assert "There are no estimated times: they need nvcc" in ended.stderr
    assert "global atomics: requests" in ended.stderr


def test_without_nvcc_one_line_says_how_to_get_it(tmp_path: Path) -> None:
    ended = run(tmp_path, "a.cu", text=COPY, TILELAB_NVCC="none")
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert "an estimate needs nvcc" in line


@pytest.mark.parametrize("gpu", ["A100", "B300"])
def test_a_gpu_without_figures_is_refused(gpu: str, tmp_path: Path) -> None:
    ended = run(tmp_path, "--gpu", gpu, "a.cu", text=COPY)
    assert ended.returncode == 2
    assert f"--gpu {gpu}: " in ended.stderr or "an estimate needs" in ended.stderr

"""`tilelab run` as a user runs it: programs of their own, and what is said about them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import typed
from support import REPO, needs_gpu
from tilelab.model.program import At
from tilelab.programs import compiling, running, tools

pytestmark = pytest.mark.drawn(pool="programs that run", count=5)

HELLO = """
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include "helper.h"

int other(int);

struct Global {
  Global() { std::cout << "constructed\\n"; }
  ~Global() { printf("destroyed\\n"); }
} global;

__global__ void twice(int* a) { a[threadIdx.x] = scaled(a[threadIdx.x]); }

int main(int argc, char** argv) {
  int* a;
  cudaMalloc(&a, 4 * sizeof(int));
  int host[4] = {1, 2, 3, other(4)};
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 4>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(a);
  char line[80] = "";
  if (FILE* file = fopen("data.txt", "r")) fgets(line, sizeof line, file);
  std::string word;
  std::cin >> word;
  std::cout << host[0] + host[1] + host[2] + host[3] << " " << line << " " << word << std::endl;
  for (int i = 1; i < argc; ++i) printf("%s\\n", argv[i]);
  return 7;
}
"""
HELPER = "__host__ __device__ inline int scaled(int n) { return 2 * n; }\n"
OTHER = """
#include <cuda_runtime.h>
#include <vector>
int other(int n) {
  std::vector<float4> all(static_cast<std::size_t>(n), make_float4(1, 2, 3, 4));
  return static_cast<int>(all.back().w);
}
"""
RACE = """
__global__ void shift(int* a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
  int* a;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  for (int i = 0; i < 3; ++i) shift<<<1, 64>>>(a);
  cudaFree(a);
  return 0;
}
"""


GRAPH = """
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void twice(const int* a, int* b) { b[threadIdx.x] = 2 * a[threadIdx.x]; }
int main() {
  int *a, *b;
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  cudaStream_t captured, launched;
  cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&launched, cudaStreamNonBlocking);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(b, 0, 256, captured);
  twice<<<1, 64, 0, captured>>>(a, b);
  cudaStreamEndCapture(captured, &graph);
  cudaGraphInstantiate(&executable, graph);
  fill<<<1, 64, 0, launched>>>(a);
  cudaGraphLaunch(executable, launched);
  twice<<<1, 64, 0, AFTER>>>(b, a);
  int host[64];
  cudaDeviceSynchronize();
  cudaMemcpy(host, a, 256, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  return host[5];
}
"""


NODE = """
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
int main() {
  int* a;
  cudaMalloc(&a, 256);
  void* arguments[] = {&a};
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)fill;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(64);
  parameters.kernelParams = arguments;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, 0);
  int host[64];
  cudaMemcpy(host, a, 256, cudaMemcpyDeviceToHost);
  cudaFree(a);
  return host[7];
}
"""


# Whatever the threads of the host do, it is not the kernel's.
BESIDE_A_KERNEL = """
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}
__global__ void work(int* a) {
  __shared__ int tile[64];
  for (int i = 0; i < 4000; ++i) {
    tile[threadIdx.x] = i * where();
    __syncthreads();
    a[threadIdx.x] += tile[63 - threadIdx.x];
    __syncthreads();
  }
}
int main() {
  int *a, *b;
  cudaMallocManaged(&a, 256);
  cudaMallocManaged(&b, 256);
  for (int i = 0; i < 64; ++i) a[i] = b[i] = 0;
  std::atomic<bool> done{false};
  std::atomic<int> all{0};
  auto beside = [&](int first) {
    std::vector<int> own(1000);
    for (int n = 0; !done; ++n) {
      own[n % 1000] = where();
      b[first + n % 32] += own[n % 1000] - 2;
      std::vector<int> other(n % 100, n);
      ++all, --all;
    }
  };
  std::thread one(beside, 0), other(beside, 32);
  work<<<1, 64>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  done = true;
  one.join(), other.join();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += (a[i] != 3999 * 2000) + (b[i] != 0);
  printf("%d %d %d\\n", error, wrong, all.load());
  cudaFree(a), cudaFree(b);
}
"""
LAUNCHED_BY_THREADS = """
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
__global__ void reverse(int* a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[63 - threadIdx.x];
}
std::atomic<int> wrong{0};
void reverse_often(int number) {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = number * i;
  int* a;
  cudaMalloc(&a, 256);
  cudaMemcpy(a, host.data(), 256, cudaMemcpyHostToDevice);
  for (int i = 0; i < 201; ++i) reverse<<<1, 64>>>(a);
  if (cudaMemcpy(host.data(), a, 256, cudaMemcpyDeviceToHost) != cudaSuccess) ++wrong;
  for (int i = 0; i < 64; ++i) wrong += host[i] != number * (63 - i);
  cudaFree(a);
}
int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) threads.emplace_back(reverse_often, i);
  for (std::thread& one : threads) one.join();
  printf("%d\\n", wrong.load());
}
"""
HOST_FUNCTION_WAITS = """
#include <atomic>
#include <cstdio>
#include <thread>
std::atomic<bool> has_begun{false}, may_end{false};
void wait(void*) {
  has_begun = true;
  while (!may_end) std::this_thread::yield();
}
int main() {
  std::thread other([] {
    while (!has_begun) std::this_thread::yield();
    int* a;
    cudaMalloc(&a, 4);
    cudaFree(a);
    may_end = true;
  });
  cudaLaunchHostFunc(nullptr, wait, nullptr);
  other.join();
  printf("%d\\n", cudaDeviceSynchronize());
}
"""
WAITS_OF_THE_LIBRARY = """
#include <cstdio>
#include <future>
#include <mutex>
int *pinned, *a;
__global__ void fill(int* to) { to[threadIdx.x] = threadIdx.x; }
void tell(void* promise) { static_cast<std::promise<int>*>(promise)->set_value(1); }
int main() {
  std::once_flag once;
  for (int i = 0; i < 2; ++i) {
    std::call_once(once, [] { cudaMalloc(&a, 256), cudaMallocHost(&pinned, 256); });
  }
  std::promise<int> promise;
  std::future<int> ran = promise.get_future();
  fill<<<1, 64>>>(a);
  cudaMemcpyAsync(pinned, a, 256, cudaMemcpyDeviceToHost);
  cudaLaunchHostFunc(nullptr, tell, &promise);
  const int wrong = ran.get() - 1 + pinned[3] - 3;
  const auto waits = std::async(std::launch::async, [] { return cudaDeviceSynchronize(); });
  waits.wait();
  printf("%d\\n", wrong);
  cudaFree(a), cudaFreeHost(pinned);
}
"""


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """The first run of a tree says on stderr what it builds."""
    tools.prepare("emulator")


def run(
    folder: Path, *words: str, text: str = "", given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Writes `text` to a.cu, and runs the command in its folder.

    What a slow machine says of the time that compiling takes is left out.
    """
    if text:
        (folder / "a.cu").write_text(text)
    ended = typed.run("run", *words, given=given, cwd=folder, env=typed.environment())
    ended.stderr = re.sub(r"tilelab: compiling, \d+ s\n", "", ended.stderr)
    return ended


def in_main(statements: str, kernel: str = "__global__ void k() {}") -> str:
    return f"#include <cstdio>\n#include <cstdlib>\n{kernel}\nint main() {{\n{statements}\n}}\n"


@pytest.mark.parametrize("option", [[], ["--checked"]])
def test_a_program_runs_as_if_it_had_been_compiled_alone(option: list[str], tmp_path: Path) -> None:
    (tmp_path / "helper.h").write_text(HELPER)
    (tmp_path / "other.cpp").write_text(OTHER)
    (tmp_path / "data.txt").write_text("from a file")
    words = [*option, "a.cu", "other.cpp", "--", "--checked", "two words"]
    ended = run(tmp_path, *words, text=HELLO, given="input")
    assert ended.returncode == 7
    assert ended.stdout.splitlines() == [
        "constructed",
        "20 from a file input",
        "--checked",
        "two words",
        "destroyed",
    ]
    said = "the program ended with status 7 after 1 kernel launch"
    none = f"tilelab: {said}, and no mistake was found until then\n"
    assert ended.stderr == (none if option else "")


def test_findings_name_their_lines_once_for_all_launches(tmp_path: Path) -> None:
    ended = run(tmp_path, "--checked", "a.cu", text=RACE)
    assert ended.returncode == 1
    assert ended.stdout == ""
    (race,) = ended.stderr.splitlines()  # what is read too early is no mistake of its own
    assert race.startswith("tilelab: Data race:")
    assert "a.cu:4 `tile[threadIdx.x] = a[threadIdx.x];`" in race
    assert "a.cu:5 `a[threadIdx.x] = tile[63 - threadIdx.x];`" in race


OFTEN = """
template <class T, int N>
__global__ void shift(T* a) {
  __shared__ T tile[N];
  tile[threadIdx.x] = a[N * blockIdx.x + threadIdx.x];
  a[N * blockIdx.x + threadIdx.x] = tile[N - 1 - threadIdx.x];
}
template <class T>
void launch() {
  T* a;
  cudaMalloc(&a, 128 * sizeof(T));
  cudaMemset(a, 0, 128 * sizeof(T));
  shift<T, 64><<<1, 64>>>(a);
  shift<T, 64><<<2, 64>>>(a);
  cudaFree(a);
}
int main() { INSTANCES }
"""


def test_findings_appear_once_for_all_instances_and_sizes(tmp_path: Path) -> None:
    found = {}
    for instances in ("launch<int>();", "launch<int>(); launch<double>(); launch<char>();"):
        text = OFTEN.replace("INSTANCES", instances)
        ended = run(tmp_path, "--checked", "a.cu", text=text)
        found[instances] = [
            (kind, int(times))
            for kind, times in re.findall(r"tilelab: (.*?): .* \(seen (\d+) times\)", ended.stderr)
        ]
        assert len(found[instances]) == len(ended.stderr.splitlines()), ended.stderr
    one, three = found.values()
    assert [kind for kind, _ in one] == ["Data race"]
    assert [kind for kind, _ in three] == [kind for kind, _ in one]
    # Each instance counts. An element of 8 bytes is two words.
    assert all(3 * seen <= of_all for (_, seen), (_, of_all) in zip(one, three, strict=True)), found


@pytest.mark.parametrize("kind", ["half", "__nv_bfloat16", "half2"])
def test_threads_may_add_to_a_small_number_at_once(kind: str, tmp_path: Path) -> None:
    kernel = f"""
#include <cuda_bf16.h>
#include <cuda_fp16.h>
using T = {kind};
__global__ void k(T* a, T b) {{ atomicAdd(a, b); }}
"""
    body = "T* a; cudaMalloc(&a, 4); cudaMemset(a, 0, 4); k<<<2, 32>>>(a, T{}); cudaFree(a);"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert "no mistakes found" in ended.stderr, ended.stderr


def test_findings_of_files_that_share_a_name_stay_apart(tmp_path: Path) -> None:
    one = "__global__ void NAME(int* a) { a[threadIdx.x / 2] = threadIdx.x; }\n"
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "k.cuh").write_text(one.replace("NAME", f"of_{folder}"))
    body = """
  int* a;
  cudaMalloc(&a, 128);
  of_x<<<1, 32>>>(a);
  of_y<<<1, 32>>>(a);
  cudaFree(a);
"""
    text = in_main(body, '#include "x/k.cuh"\n#include "y/k.cuh"')
    said = run(tmp_path, "--checked", "a.cu", text=text).stderr.splitlines()
    assert ["of_x" in line for line in said] == [True, False], said
    assert ["of_y" in line for line in said] == [False, True], said


@pytest.mark.parametrize(
    ("statements", "advice"),
    [
        ("*a += t + 1;", "both threads update it, so use an atomic function such as atomicAdd()."),
        ("if (t > 0) a[t] += a[t - 1];", "__syncthreads() between its read and its write."),
        ("a[t / 40] = t;", ": use an atomic function, or let only one thread write it; a barrier"),
        ("if (a[0] < t)\n a[0] = t;", " or, if what a thread writes depends on what it read, use"),
        ("if (*a < t)\n atomicMax(a, t);", " or, if they cannot wait there, read it atomically"),
        ("a[t] = t;\natomicAdd(&a[63 - t], 1);", " or, if they cannot wait there, write it atomic"),
        ("a[t] = t;\nb[t] = a[63 - t];", ": let all threads of the block meet at __syncthreads()"),
    ],
)
def test_the_advice_about_a_race_can_help(statements: str, advice: str, tmp_path: Path) -> None:
    kernel = f"__global__ void k(int* a, int* b) {{ int t = threadIdx.x;\n{statements}\n}}"
    body = (
        "int *a, *b; cudaMalloc(&a, 256), cudaMalloc(&b, 256), cudaMemset(a, 0, 256);\n"
        "k<<<1, 64>>>(a, b); cudaFree(a), cudaFree(b);"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    (race, *_) = ended.stderr.splitlines()
    assert race.startswith("tilelab: Data race: ") and advice in race, race


_LOCK = "while (atomicCAS(&flag, 0, 1) != 0) {} FIRST; *a += 1; SECOND; atomicExch(&flag, 0);"
_FLAG = "if (b == 0) { *a = 1; FIRST; flag = 1; } else { while (flag == 0) {} SECOND; *a = 2; }"
_COUNT = "a[b + 1] = 1; FIRST; if (atomicAdd(&count, 1) == 1) { SECOND; *a = a[1] + a[2]; }"
_WHOLE = (
    "__shared__ int m; if (t == 0) while (atomicCAS(&flag, 0, 1) != 0) {} FIRST; __threadfence();"
    "a[t] += 1; __threadfence(); SECOND; if (t == 0) atomicExch(&flag, 0); m = 0;"
)


@pytest.mark.parametrize(
    ("threads", "body", "first", "second", "says"),
    [
        (1, _LOCK, "__threadfence()", "__threadfence()", ""),
        (1, _LOCK, "", "__threadfence()", "but passed no __threadfence() after it"),
        (1, _LOCK, "__threadfence()", "", "the other passed no __threadfence() between its access"),
        (1, _LOCK, "__threadfence_block()", "__threadfence_block()", "the scope of a block, which"),
        (1, _FLAG, "__threadfence()", "__threadfence()", ""),
        (1, _FLAG, "", "__threadfence()", "the other passed no __threadfence() between its access"),
        (1, _FLAG, "__threadfence()", "", "but passed no __threadfence() after it"),
        (1, _FLAG, "__threadfence_block()", "__threadfence()", "in the scope of a block, which"),
        (64, _WHOLE, "__syncthreads()", "__syncthreads()", ""),
        (64, _WHOLE, "", "__syncthreads()", "no __syncthreads() follows before the later access"),
        (64, _WHOLE, "__syncthreads()", "", "another thread signals that the earlier access is"),
        (1, _COUNT, "__threadfence()", "__threadfence()", ""),
        (1, _COUNT, "", "__threadfence()", "both blocks update an atomic counter in between, but"),
        (1, _COUNT, "__threadfence()", "", "but passed no __threadfence() after it"),
        # Atomic operations on other data are no signal.
        (1, "atomicAdd(&count, 1); FIRST; *a += 1; SECOND;", "", "", "nothing orders the blocks"),
    ],
)
def test_a_race_between_blocks_names_what_their_signal_lacks(
    threads: int, body: str, first: str, second: str, says: str, tmp_path: Path
) -> None:
    flag = "volatile int" if body == _FLAG else "int"
    kernel = (
        f"__device__ {flag} flag; __device__ int count;\n__global__ void k(int* a) {{\n"
        "int t = threadIdx.x, b = blockIdx.x; (void)t, (void)b;\n"
        f"{body.replace('FIRST', first).replace('SECOND', second)}\n}}"
    )
    main = (
        f"int* a; cudaMalloc(&a, 256), cudaMemset(a, 0, 256);\nk<<<2, {threads}>>>(a); cudaFree(a);"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(main, kernel))
    races = [line for line in ended.stderr.splitlines() if "Data race" in line]
    assert bool(races) == bool(says), ended.stderr
    assert all(" a[" in race for race in races), races
    # Two threads of a warp may have met in another way.
    assert not says or any(says in race for race in races), races


@pytest.mark.parametrize("fence", ["__threadfence();", ""])
def test_a_fence_of_an_earlier_round_is_none_of_this_one(fence: str, tmp_path: Path) -> None:
    """Blocks meet twice. The one after the wait lies before the second arrival, too."""
    kernel = (
        "__device__ unsigned arrived;\n__device__ void meet(unsigned goal) {\n"
        f"__syncthreads(); if (threadIdx.x == 0) {{ {fence} atomicAdd(&arrived, 1);\n"
        "while (atomicAdd(&arrived, 0) < goal) {} __threadfence(); } __syncthreads(); }\n"
        "__global__ void k(int* a) { int b = blockIdx.x; a[b] = 1; meet(2);\n"
        "a[2 + b] = a[1 - b]; meet(4);\na[b] = a[3 - b]; }"
    )
    main = "int* a; cudaMalloc(&a, 256), cudaMemset(a, 0, 256); k<<<2, 1>>>(a); cudaFree(a);"
    said = run(tmp_path, "--checked", "a.cu", text=in_main(main, kernel)).stderr
    races = [line for line in said.splitlines() if "Data race" in line]
    assert bool(races) == (not fence), said
    assert all("but the other passed no __threadfence()" in race for race in races), races


@pytest.mark.parametrize(
    ("fence", "third", "says"),
    [
        ("__threadfence()", "again = 1", False),
        ("", "again = 1", True),
        # A third block overwrites the signal, or updates it.
        ("", "flag = 2", True),
        ("", "atomicAdd((int*)&flag, 1)", False),
    ],
)
def test_a_third_block_may_not_pass_a_signal_on(
    fence: str, third: str, says: bool, tmp_path: Path
) -> None:
    last = "again != 1" if "again" in third else "flag != 2"
    kernel = (
        "__device__ volatile int flag, again;\n__global__ void k(int* a) {\n"
        "if (blockIdx.x == 0) { *a = 1; __threadfence(); flag = 1; }\n"
        f"if (blockIdx.x == 1) {{ while (flag != 1) {{}} {fence}; {third}; }}\n"
        f"if (blockIdx.x == 2) {{ while ({last}) {{}} __threadfence(); *a = 2; }}\n}}"
    )
    main = "int* a; cudaMalloc(&a, 256); k<<<3, 1>>>(a); cudaFree(a);"
    said = run(tmp_path, "--checked", "a.cu", text=in_main(main, kernel)).stderr
    assert ("Data race" in said) == ("the later one has seen the signal of a third" in said) == says


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("__threadfence_block()", "__threadfence_block()", ""),
        ("", "__threadfence_block()", "the other passed no __threadfence_block() between its"),
        ("__threadfence_block()", "", "but passed no __threadfence"),
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        "if (t == 0) { d = 9; FIRST; f = 1; } if (t == 32) { while (f == 0) {} SECOND; *a = d; }",
        "bool done = t % 32 != 0;\nwhile (!done) if (atomicCAS((int*)&f, 0, 1) == 0) {"
        "SECOND; d += 1; FIRST; atomicExch((int*)&f, 0); done = true; }",
    ],
)
def test_a_race_within_a_block_names_what_its_signal_lacks(
    body: str, first: str, second: str, says: str, tmp_path: Path
) -> None:
    kernel = (
        "__global__ void k(int* a) {\n__shared__ volatile int f; __shared__ int d;\n"
        "int t = threadIdx.x; if (t == 0) f = d = 0;\n__syncthreads();\n"
        f"{body.replace('FIRST', first).replace('SECOND', second)}\n}}"
    )
    main = "int* a; cudaMalloc(&a, 256); k<<<1, 64>>>(a); cudaFree(a);"
    said = run(tmp_path, "--checked", "a.cu", text=in_main(main, kernel)).stderr
    races = [line for line in said.splitlines() if "Data race" in line]
    assert bool(races) == bool(says), said
    assert all(says in race for race in races), races


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        ("table[0] = t;", "writes table[0] in a.cu:5"),
        ("if (t == 0) p = malloc(8), free(p), free(p);", "frees memory in a.cu:5"),
        ("if (t == 0) free(&table);", ", which no kernel allocated with malloc() or new."),
        (
            "__shared__ int* s; if (t == 0) s = (int*)malloc(256); __syncthreads();\ns[t] = t;\n"
            "if (t == 63) free(s);",
            "in a.cu:7 `if (t == 63) free(s);`: to free memory is to write all of it, and nothing",
        ),
        (
            "__shared__ int* s; if (t == 0) s = (int*)malloc(256); __syncthreads(); s[t] = t;\n"
            "__syncthreads(); if (s[63 - t] < 0) table[0] = 1; if (t == 63) free(s);",
            "reads allocation 1[32] in a.cu:6",
        ),
        (
            "if (t == 0) atomicAdd(wide, 1ull); else if (t == 32) atomicAdd((int*)wide, 1);",
            "atomic operations and volatile accesses of different widths",
        ),
        (
            "if (t == 0) atomicExch(wide, 1ull); else if (t == 32) *(volatile int*)wide = 1;",
            "atomic operations and volatile accesses of different widths",
        ),
        (
            "__shared__ int m; if (t == 0) m = 0;\natomicAdd(&m, t);",
            ": let all threads of the block meet at __syncthreads()",
        ),
        (
            "__shared__ cuda::barrier<cuda::thread_scope_block> full;\n"
            "if (t == 0) init(&full, 1);\n__syncthreads();\n"
            "if (t == 32) (void)full.arrive(), (void)full.arrive();\n__syncthreads();\n"
            "if (t == 0) full.wait_parity(0);",
            "2 phases have ended, the last of parity 1, and the wait is for parity 0)",
        ),
    ],
)
def test_a_finding_says_what_it_knows(statements: str, says: str, tmp_path: Path) -> None:
    kernel = (
        "#include <cuda/barrier>\n__device__ int table[2]; __device__ unsigned long long wide[1];"
        f"__global__ void k() {{ int t = threadIdx.x; void* p; (void)p;\n{statements}\n}}"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main("k<<<1, 64>>>();", kernel))
    assert says in ended.stderr, ended.stderr


@pytest.mark.parametrize(
    ("declared", "bytes_", "says"),
    [
        (
            "extern __shared__ float m[];\n float* x = m + t, *y = m + 63 - t;",
            256,
            "writes m[32] in",
        ),
        ("extern __shared__ char m[];\n float* x = (float*)m + t, *y = (float*)m;", 256, "m[0] in"),
        ("extern __shared__ float m[];\n float* x = m + t, *y = x;", 128, "writes m[32] in"),
        (
            "__shared__ float m[8][9];\n float* x = &m[t / 8][t % 8], *y = &m[3][7];",
            0,
            "m[3][7] in",
        ),
    ],
)
def test_an_element_of_shared_memory_has_the_name_of_its_declaration(
    declared: str, bytes_: int, says: str, tmp_path: Path
) -> None:
    kernel = (
        f"__global__ void k(float* a) {{\nint t = threadIdx.x; {declared}\n*x = t;\na[t] = *y;\n}}"
    )
    body = f"float* a; cudaMalloc(&a, 256); k<<<1, 64, {bytes_}>>>(a); cudaFree(a);"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert ended.returncode == 1
    assert says in ended.stderr.splitlines()[0], ended.stderr


def test_a_finding_has_its_places_as_data(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(RACE)
    tool = tools.prepare(None)
    program = compiling.compile_program(compiling.Sources([source]), tool, tmp_path, checked=True)
    ended = running.run(program, [], running.Watch(60.0, checked=True), tool, tmp_path)
    assert ended.report is not None
    (race,) = [one for one in ended.report.findings if one.text.startswith("Data race")]
    assert race.places == tuple(At(str(source), line) for line in (4, 5))


def test_a_finding_in_a_header_names_the_header(tmp_path: Path) -> None:
    (tmp_path / "kernel.h").write_text(
        "__device__ int next(const int* a) {\n  return a[1];\n}\n"
        "__global__ void k(int* a) {\n  a[500] = next(a);\n}\n"
    )
    text = '#include "kernel.h"\n' + in_main("int* a; cudaMalloc(&a, 80); k<<<1, 1>>>(a);", "")
    ended = run(tmp_path, "--checked", "a.cu", text=text)
    assert "in kernel.h:2 `return a[1];`" in ended.stderr
    assert "in kernel.h:5 `a[500] = next(a);`" in ended.stderr


@pytest.mark.parametrize("after", ["launched", "captured"])
def test_a_graph_belongs_to_the_stream_that_launches_it(after: str, tmp_path: Path) -> None:
    ended = run(tmp_path, "--checked", "-D", f"AFTER={after}", "a.cu", text=GRAPH)
    assert ended.returncode == 20
    assert ("Unordered streams" in ended.stderr) == (after == "captured")
    assert ("no mistake was found" in ended.stderr) == (after == "launched")


@pytest.mark.parametrize(
    ("second", "says"),
    [
        (
            "k<<<2, 32, 0, b>>>(a);",
            "The kernels are launched in a.cu:7 `k<<<1, 64, 0, s>>>(a);` and",
        ),
        (
            "cudaMemsetAsync(a, 0, 256, b);",
            "The calls are in a.cu:7 `k<<<1, 64, 0, s>>>(a);` and in a.cu:8 `cudaM",
        ),
    ],
)
def test_work_of_unordered_streams_names_its_launches(
    second: str, says: str, tmp_path: Path
) -> None:
    kernel = "__global__ void k(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }"
    body = (
        "int* a; cudaMalloc(&a, 256); cudaStream_t s, b;\n"
        "cudaStreamCreate(&s), cudaStreamCreate(&b);\n"
        f"k<<<1, 64, 0, s>>>(a);\n{second}\ncudaDeviceSynchronize(), cudaFree(a);"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert ended.returncode == 1
    (race,) = ended.stderr.splitlines()
    assert race.startswith("tilelab: Unordered streams: ") and says in race, race


@pytest.mark.parametrize(
    ("threads", "launch"), [(1, "1 block of 1 thread"), (4, "1 block of 4 threads")]
)
def test_a_copy_of_unwritten_results_names_its_line(
    threads: int, launch: str, tmp_path: Path
) -> None:
    body = (
        f"int *a, host[4]; cudaMalloc(&a, 16); k<<<1, {threads}>>>();\n"
        "cudaMemcpy(host, a, 16, cudaMemcpyDeviceToHost);\ncudaFree(a);"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    assert ended.returncode == 1
    assert "a copy in a.cu:6 `cudaMemcpy(host, a, 16, cuda" in ended.stderr
    assert f"the launch before it was k() with {launch}." in ended.stderr


@pytest.mark.parametrize("option", ["--checked", "--profile"])
def test_a_kernel_may_be_a_node_of_a_graph(option: str, tmp_path: Path) -> None:
    ended = run(tmp_path, option, "a.cu", text=NODE)
    assert ended.returncode == 7 and "no mistake was found" in ended.stderr


def test_counts_are_those_of_profile(tmp_path: Path) -> None:
    ended = run(tmp_path, "--profile", "a.cu", text=RACE)
    assert "shift<<<1, 64>>>, 3 launches, 256 bytes of shared memory per block" in ended.stderr
    assert "shared loads: bank conflicts" in ended.stderr
    assert ended.stdout == ""
    assert "data races not looked for" in ended.stderr and "no mistakes" not in ended.stderr


def test_a_checked_program_says_what_it_found_before_it_ended_itself(tmp_path: Path) -> None:
    kernel = "__global__ void k(int* a) { a[threadIdx.x] = 1; }"
    body = """
  int* a;
  cudaMalloc(&a, 4);
  k<<<1, 2>>>(a);
  if (cudaDeviceSynchronize() != cudaSuccess) {END;}
"""
    for end, status in (("exit(4)", 4), ("abort()", 128 + signal.SIGABRT)):
        text = in_main(body.replace("END", end), kernel)
        ended = run(tmp_path, "--checked", "a.cu", text=text)
        assert ended.returncode == status
        assert "tilelab: Out of bounds: block (0,0,0), thread (1,0,0) writes" in ended.stderr


RACY = """
#include <csignal>
#include <stdexcept>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
__global__ void racy(int* a, int rounds) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = tile[63 - threadIdx.x];
  for (volatile int i = 0; i < rounds; i = i + 1) {
  }
}
int down(int n) { volatile char a[4096]; a[0] = n; return down(n + 1) + a[0]; }
"""
ENDINGS = {
    "exit(3)": 3,
    "quick_exit(4)": 4,
    "quick_exit(0)": 1,
    "_exit(0)": 1,
    "_Exit(5)": 5,
    "std::thread([] { _exit(6); }).join()": 6,
    "signal(SIGSEGV, _exit); raise(SIGSEGV)": signal.SIGSEGV,
    "signal(SIGABRT, [](int) {}); abort()": 128 + signal.SIGABRT,
    "raise(SIGKILL)": 128 + signal.SIGKILL,
    "syscall(SYS_exit_group, 0)": 1,
    'execlp("true", "true", nullptr)': 1,
    "abort()": 128 + signal.SIGABRT,
    'throw std::runtime_error("no")': 128 + signal.SIGABRT,
    "*static_cast<volatile int*>(nullptr) = 1": 128 + signal.SIGSEGV,
    "return down(1)": 128 + signal.SIGSEGV,
    "racy<<<1, 64>>>(a, 1 << 30)": 128 + signal.SIGABRT,
    "alarm(1); racy<<<1, 64>>>(a, 1 << 30)": 128 + signal.SIGALRM,
    **{f"raise({name})": 128 + signal.Signals[name] for name in ("SIGHUP", "SIGQUIT", "SIGTERM")},
}


@pytest.fixture
def heeded() -> Iterator[None]:
    """Lets signals end programs that nohup or a shell's & has told to ignore them."""
    before = {one: signal.signal(one, signal.SIG_DFL) for one in (signal.SIGHUP, signal.SIGQUIT)}
    yield
    for one, handler in before.items():
        signal.signal(one, handler)


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("end", ENDINGS)
def test_what_was_found_is_told_however_a_program_ends(end: str, tmp_path: Path) -> None:
    body = f"int* a; cudaMalloc(&a, 256); cudaMemset(a, 0, 256); racy<<<1, 64>>>(a, 0); {end};"
    ended = run(tmp_path, "--checked", "--time-limit", "2", "a.cu", text=in_main(body, RACY))
    assert ended.returncode == ENDINGS[end]
    assert "tilelab: Data race:" in ended.stderr
    assert "no mistake" not in ended.stderr
    # Only a program that ends itself could have freed its array.
    ends_itself = re.search(r"xit[(),]", end) is not None
    assert ("Memory leak" in ended.stderr) == ends_itself, ended.stderr
    cut_off = [line for line in ended.stderr.splitlines() if "Cut off:" in line]
    assert len(cut_off) == ("<<<" in end), ended.stderr
    if cut_off:
        assert "the program ended during launch 2, of racy in a.cu:1" in cut_off[0]
        assert "ran in a.cu:13 `for (volatile int i = 0;" in cut_off[0]


def test_what_was_found_in_the_kernel_that_was_cut_off_is_told(tmp_path: Path) -> None:
    body = "int* a; cudaMalloc(&a, 256); cudaMemset(a, 0, 256); racy<<<1, 64>>>(a, 1 << 30);"
    ended = run(tmp_path, "--checked", "--time-limit", "2", "a.cu", text=in_main(body, RACY))
    assert ended.returncode == 128 + signal.SIGABRT
    assert "Uninitialized read:" in ended.stderr or "Data race:" in ended.stderr
    assert "the program ended during launch 1, of racy" in ended.stderr


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("_exit(0)", "ended itself with _exit() after 1 kernel launch"),
        ("quick_exit(0)", "ended itself with quick_exit() after 1 kernel launch"),
        ("raise(SIGKILL)", "was stopped by SIGKILL after 1 kernel launch"),
        ("syscall(SYS_exit_group, 0)", "ended with status 0 after 1 kernel launch"),
    ],
)
def test_a_program_that_is_cut_off_is_not_called_free_of_mistakes(
    end: str, says: str, tmp_path: Path
) -> None:
    kernel = RACY + "__global__ void right(int* a) { *a = 0; }"
    body = f"int* a; cudaMalloc(&a, 4); right<<<1, 1>>>(a); cudaFree(a); {end};"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert f"tilelab: the program {says}, and no mistake was found until then" in ended.stderr


def test_what_a_kernel_did_until_the_program_was_killed_is_told(tmp_path: Path) -> None:
    body = """
  int* a;
  cudaMalloc(&a, 256), cudaMemset(a, 0, 256);
  racy<<<1, 64>>>(a, 0);
  std::thread([] { sleep(1), raise(SIGKILL); }).detach();
  racy<<<1, 64>>>(a, 1 << 30);
"""
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, RACY))
    assert ended.returncode == 128 + signal.SIGKILL
    assert "tilelab: Data race:" in ended.stderr
    launch = "of racy in a.cu:24 `racy<<<1, 64>>>(a, 1 << 30);`\n"
    assert f"the program was stopped by SIGKILL during launch 2, {launch}" in ended.stderr


@pytest.mark.parametrize("end", ["_exit(0)", "exit(0)", "abort()"])
def test_a_process_that_the_program_forks_reports_nothing(end: str, tmp_path: Path) -> None:
    body = f"""
  int* a;
  cudaMalloc(&a, 256), cudaMemset(a, 0, 256);
  if (fork() == 0) {{ {end}; }}
  wait(nullptr);
  racy<<<1, 64>>>(a, 0);
  cudaFree(a);
"""
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, "#include <sys/wait.h>" + RACY))
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith("tilelab: Data race:")


@pytest.mark.parametrize(
    ("kernel", "says"), [("racy", "Data race: "), ("right", "no mistakes found")]
)
def test_what_kernels_of_a_forked_process_do_is_told(
    kernel: str, says: str, tmp_path: Path
) -> None:
    right = "__global__ void right(int* a, int) { a[threadIdx.x] = 1; }"
    body = f"""
  if (fork() == 0) {{
    int* a;
    cudaMalloc(&a, 256), cudaMemset(a, 0, 256);
    {kernel}<<<1, 64>>>(a, 0);
    cudaDeviceSynchronize(), cudaFree(a);
    return 0;
  }}
  wait(nullptr);
"""
    text = in_main(body, "#include <sys/wait.h>" + RACY + right)
    said = run(tmp_path, "--checked", "a.cu", text=text).stderr
    assert says in said and "ran no kernel" not in said, said


@pytest.mark.parametrize("round", ["i", "0"])
def test_a_kernel_that_hangs_names_where_its_threads_wait(round: str, tmp_path: Path) -> None:
    kernel = (
        "__global__ void k(int* a) {\nfor (int i = 0; i < 4; ++i) {\n"
        f"if (threadIdx.x == 0 && {round} == 0) while (atomicAdd(a, 0) == 0) {{}}\n"
        "__syncthreads();\n}\n}"
    )
    body = (
        "int* a; cudaMalloc(&a, 4), cudaMemset(a, 0, 4); k<<<1, 64>>>(a); cudaDeviceSynchronize();"
    )
    ended = run(tmp_path, "--checked", "--time-limit", "1", "a.cu", text=in_main(body, kernel))
    waits = "Of its block, 63 threads (first: (1,0,0)) wait at __syncthreads() in a.cu:6"
    assert waits in ended.stderr, ended.stderr


@pytest.mark.parametrize(
    ("allocate", "waits"),
    [
        ("cudaMallocManaged(&a, 256)", False),
        ("cudaMallocManaged(&a, 256)", True),
        ("cudaMallocHost(&a, 256)", False),
        ("cudaHostAlloc(&a, 256, 0)", False),
    ],
)
def test_memory_of_both_is_read_in_time(allocate: str, waits: bool, tmp_path: Path) -> None:
    kernel = "__global__ void k(int* a) { a[threadIdx.x] = threadIdx.x; }"
    wait = "cudaDeviceSynchronize();" if waits else ""
    body = f"int* a; {allocate};\nk<<<1, 64>>>(a); {wait}\nint x = a[5];\n"
    ended = run(
        tmp_path, "--checked", "a.cu", text=in_main(body + "cudaFree(a); return x;", kernel)
    )
    assert ended.returncode == 5
    says = "Read too early: host code reads a[5] in a.cu:7 `int x = a[5];`, but has not waited for"
    assert (says in ended.stderr) == (not waits)


@pytest.mark.parametrize("element", ["float", "double", "int"])
@pytest.mark.parametrize("stored", ["x[i] + y[i]", "x[i]", "2 * z[i]"])
def test_a_store_past_the_end_is_found_whatever_it_is_made_of(
    element: str, stored: str, tmp_path: Path
) -> None:
    kernel = (
        f"__global__ void k(const {element}* x, const {element}* y, {element}* z) {{\n"
        f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  z[i] = {stored};\n}}\n"
    )
    body = (
        f"const int bytes = 1000 * sizeof({element}); {element} *x, *y, *z;\n"
        "cudaMalloc(&x, bytes), cudaMalloc(&y, bytes), cudaMalloc(&z, bytes);\n"
        "for (void* one : {x, y, z}) cudaMemset(one, 0, bytes);\n"
        "k<<<8, 128>>>(x, y, z); return cudaDeviceSynchronize() != cudaSuccess;"
    )
    ended = run(tmp_path, "a.cu", text=in_main(body, kernel))
    assert ended.returncode == 1
    assert "past the end of a device allocation" in ended.stderr


@pytest.mark.parametrize("where", ["blockIdx", "threadIdx"])
def test_a_race_is_told_beside_a_store_of_the_same_value(where: str, tmp_path: Path) -> None:
    """The reader overwrites what it has read, so the other store is gone at once."""
    kernel = (
        "__global__ void k(int* a, int* out) {\n"
        f"  if ({where}.x == 0) {{\n    a[0] = 1;\n  }} else {{\n"
        "    out[0] = a[0];\n    a[0] = 1;\n  }\n}\n"
    )
    grid = "2, 1" if where == "blockIdx" else "1, 2"
    body = (
        "int *a, *out; cudaMalloc(&a, 4), cudaMalloc(&out, 4), cudaMemset(a, 0, 4);\n"
        f"k<<<{grid}>>>(a, out); cudaFree(a), cudaFree(out);"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert ended.returncode == 1
    assert "tilelab: Data race: " in ended.stderr
    assert "out[0] = a[0]" in ended.stderr


@pytest.mark.parametrize("element", ["float", "double", "int"])
def test_what_no_kernel_wrote_is_not_near_anything(element: str, tmp_path: Path) -> None:
    body = (
        f"{element}* a; {element} host[8]; cudaMalloc(&a, sizeof host);\n"
        "cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost); cudaFree(a);\n"
        "int wrong = 0;\n"
        "for (int i = 0; i < 8; ++i) wrong += fabs(double(host[i]) - i) > 1e-5;\n"
        "return wrong;"
    )
    assert run(tmp_path, "a.cu", text="#include <cmath>\n" + in_main(body)).returncode == 8


FIRST_LANE = """
__device__ int place(int* count) {
  const unsigned lanes = __activemask();
  const int lane = threadIdx.x % 32, first = __ffs(lanes) - 1;
  int begin;
  if (lane == first) begin = atomicAdd(count, __popc(lanes));
  begin = __shfl_sync(lanes, begin, first);
  return begin + __popc(lanes & ((1u << lane) - 1));
}
__global__ void keep_odd(int* kept, int* count) {
  if (threadIdx.x % 2 == 1) kept[place(count)] = threadIdx.x;
}
"""


def test_a_variable_that_lanes_get_from_the_first_one_is_set(tmp_path: Path) -> None:
    body = (
        "int *kept, *count; cudaMalloc(&kept, 128), cudaMalloc(&count, 4), cudaMemset(count, 0, 4);"
        "keep_odd<<<1, 64>>>(kept, count); cudaFree(kept), cudaFree(count);"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, FIRST_LANE))
    assert ended.stderr == "tilelab: no mistakes found\n"


HOST_READS = """
#include <algorithm>
#include <cstring>
#include <cuda_runtime.h>
#include <numeric>
int sum(const int* a) { return std::accumulate(a, a + 64, 0); }
int most(const int* a) { return std::max(a[1], a[0]); }
int last(const int* a) {
  int copy[64];
  std::memcpy(copy, a, sizeof copy);
  return copy[63];
}
"""


@pytest.mark.parametrize(
    ("call", "waits", "says"),
    [
        ("sum", False, "a[0] in host.cpp:6 `int sum(const int* a)"),
        ("most", False, "a[1] in host.cpp:7 `int most(const int* a) { return std::max"),
        ("last", False, "a[0] in host.cpp:10 `std::memcpy(copy, a, sizeof copy);`"),
        ("sum", True, ""),
        ("last", True, ""),
    ],
)
def test_files_of_the_host_alone_read_managed_memory_in_time(
    call: str, waits: bool, says: str, tmp_path: Path
) -> None:
    (tmp_path / "host.cpp").write_text(HOST_READS)
    kernel = f"int {call}(const int*); __global__ void k(int* a) {{ a[threadIdx.x] = 1; }}"
    wait = "cudaDeviceSynchronize();" if waits else ""
    body = f"int* a; cudaMallocManaged(&a, 256); k<<<1, 64>>>(a); {wait} int x = {call}(a);"
    text = in_main(f"{body} cudaFree(a); return x == 0;", kernel)
    ended = run(tmp_path, "--checked", "a.cu", "host.cpp", text=text)
    assert ended.returncode == int(not waits)
    found = f"tilelab: Read too early: host code reads {says}" if says else "no mistakes found"
    assert found in ended.stderr


def test_a_constructor_that_a_gpu_does_not_run_is_named(tmp_path: Path) -> None:
    kernel = (
        "struct S { int x; __device__ S() : x(1) {} };\n"
        "__global__ void k(int* a) {\n  __shared__ S s;\n  *a = s.x;\n}"
    )
    body = "int* a; cudaMalloc(&a, 4); k<<<1, 1>>>(a); cudaFree(a);"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert "a.cu:5: warning: dynamic initialization is not supported" in ended.stderr
    assert "Uninitialized read: block (0,0,0), thread (0,0,0) reads s[0] in a.cu:6" in ended.stderr


def test_of_a_vector_that_is_written_in_part_the_rest_is_named(tmp_path: Path) -> None:
    kernel = (
        "__global__ void k(float4* a) {\n  __shared__ __align__(16) float s[8];\n"
        "  s[4] = s[5] = 1;\n  a[0] = *reinterpret_cast<float4*>(&s[4]);\n}"
    )
    body = "float4* a; cudaMalloc(&a, 16); k<<<1, 1>>>(a); cudaFree(a);"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert "Uninitialized read: block (0,0,0), thread (0,0,0) reads s[6] in a.cu:6" in ended.stderr


@pytest.mark.parametrize("index", ["1000000000", "-1000000000", "0x7fffffff", "0x80000000"])
def test_a_wild_index_is_no_pointer_of_the_host(index: str, tmp_path: Path) -> None:
    kernel = "__global__ void k(int* a, int i) { a[i] = 1; }"
    body = f"int* a; cudaMalloc(&a, 256); k<<<1, 1>>>(a, int({index})); cudaFree(a);"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert "Out of bounds: " in ended.stderr and "Host pointer" not in ended.stderr


@pytest.mark.parametrize(
    ("allocate", "says"),
    [
        (
            "float* a;\ncudaMalloc(&a, 256);",
            "256 bytes of device memory (a), allocated in a.cu:6",
        ),
        (
            "int* a[8];\nfor (int*& one : a) cudaMalloc(&one, 64);",
            "8 arrays of 64 bytes (one), ",
        ),
        (
            "char* a;\nfor (int i = 1; i < 4; ++i) cudaMalloc(&a, i);",
            "3 arrays of 6 bytes in all",
        ),
        (
            "int *a = room(), *b = room(); (void)a;\ncudaFree(b);",
            "8 bytes of device memory (p), ",
        ),
        (
            "room();\nroom();",
            "2 arrays of 8 bytes (p), allocated in a.cu:3 `int* room() {",
        ),
        ("char* a;\ncudaMalloc(&a, 1);", "`, was never freed."),
        ("char* a;\ncudaMallocHost(&a, 64);", "64 bytes of pinned host memory (a), "),
        ("char* a;\ncudaMallocManaged(&a, 64);", "64 bytes of managed memory (a), "),
    ],
)
def test_a_leak_names_its_arrays_and_the_line(allocate: str, says: str, tmp_path: Path) -> None:
    kernel = "int* room() { int* p; cudaMalloc(&p, 8); return p; } __global__ void k() {}"
    ended = run(
        tmp_path,
        "--checked",
        "a.cu",
        text=in_main(allocate + " k<<<1, 1>>>();", kernel),
    )
    assert ended.returncode == 0
    (leak,) = ended.stderr.splitlines()
    assert leak.startswith("tilelab: Memory leak: ") and says in leak, leak


@pytest.mark.parametrize(
    ("allocate", "uses", "says"),
    [
        ("cudaMalloc(&a, 64)", "cudaFree(a);", "The memory was freed before"),
        ("cudaMallocAsync(&a, 64, 0)", "cudaFreeAsync(a, 0);", "The memory was freed before"),
        ("cudaMallocHost(&a, 64)", "cudaFreeHost(a);", "The memory was freed before"),
        (
            "cudaMalloc(&a, 64)",
            "cudaMemcpy(h, a, 64, cudaMemcpyDeviceToHost);",
            "The source of a copy was freed before",
        ),
        (
            "cudaMallocHost(&a, 64)",
            "cudaMemcpy(a, h, 64, cudaMemcpyHostToHost);",
            "The destination of a copy was freed before",
        ),
        ("cudaMalloc(&a, 64)", "cudaMemset(a + 2, 0, 8);", "The memory was freed before"),
    ],
)
def test_a_use_of_freed_memory_by_the_host_names_the_line_that_freed_it(
    allocate: str, uses: str, says: str, tmp_path: Path
) -> None:
    body = f"int *a, h[16] = {{}};\n{allocate};\nk<<<1, 1>>>();\ncudaFree(a);\n{uses}\n(void)h;"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    assert ended.returncode == 1
    (error,) = ended.stderr.splitlines()
    assert f"in a.cu:9 `{uses}` returns cudaErrorInvalidValue" in error, error
    assert f"{says} in a.cu:8 `cudaFree(a);`, and nobody asks" in error, error


LANES_SIGNAL = """
__global__ void k(int* a) {
  int *d = a, *flag = a + 9;
  if (threadIdx.x == 0) { d[0] = 5; __threadfence(); atomicExch(flag, 1); }
  else { while (atomicAdd(flag, 0) == 0) { } __threadfence(); d[1] = d[0]; }
}
"""


@pytest.mark.parametrize(
    ("old", "new", "is_written"),
    [
        ("d[1] = d[0]", "d[1] = d[0]", True),
        ("int *d = a, *f", "__shared__ int d[2]; int *f", True),
        ("d[1] = d[0]", "d[1] = ++d[0]", True),
        ("d[1] = d[0]", "d[1] = d[2]", False),
        ("d[0] = 5", "d[2] = 5", False),
    ],
)
def test_a_lane_may_read_what_another_of_its_warp_wrote_before_its_signal(
    old: str, new: str, is_written: bool, tmp_path: Path
) -> None:
    kernel = LANES_SIGNAL.replace(old, new)
    body = (
        "int* a;\ncudaMalloc(&a, 40);\ncudaMemset(a + 9, 0, 4);\n"
        "k<<<1, 2>>>(a);\ncudaDeviceSynchronize();\ncudaFree(a);"
    )
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    says = "tilelab: no mistakes found" if is_written else "tilelab: Uninitialized read: "
    assert ended.stderr.startswith(says), ended.stderr


TOO_MUCH = "cudaMalloc(&a, size_t(1) << 60)"


@pytest.mark.parametrize(
    ("statements", "line"),
    [
        (f"if ({TOO_MUCH} != cudaSuccess) {{\ncudaGetLastError();\n}}", None),
        (f"const cudaError_t e = {TOO_MUCH};\nif (e != cudaSuccess) cudaGetLastError();", None),
        (f"{TOO_MUCH};\nif (cudaPeekAtLastError() != cudaSuccess) cudaGetLastError();", None),
        (f"{TOO_MUCH};\ncudaGetLastError();", 7),
        (f"{TOO_MUCH};\ncudaPeekAtLastError();\ncudaGetLastError();", 7),
        (f"{TOO_MUCH};\nif ({TOO_MUCH} != cudaSuccess) cudaGetLastError();", 7),
        (f"if ({TOO_MUCH} != cudaSuccess) cudaGetLastError();\n{TOO_MUCH};", 8),
    ],
)
def test_an_error_may_be_cleared_once_the_program_has_asked_for_it(
    statements: str, line: int | None, tmp_path: Path
) -> None:
    body = f"int* a;\nk<<<1, 1>>>();\n{statements}\ncudaDeviceSynchronize();"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    said = f"Unchecked error: the call in a.cu:{line} `{TOO_MUCH};` returns"
    assert (said if line else "tilelab: no mistakes found") in ended.stderr, ended.stderr


@pytest.mark.parametrize(
    ("allocate", "frees"),
    [
        ("cudaMalloc(&a, 64)", "cudaFree(a)"),
        ("cudaMallocAsync(&a, 64, 0)", "cudaFreeAsync(a, 0)"),
        ("cudaMallocHost(&a, 64)", "cudaFreeHost(a)"),
    ],
)
@pytest.mark.parametrize("between", ["", "a = nullptr;"])
def test_memory_that_is_freed_twice_is_named_where_the_program_asks_for_the_error(
    allocate: str, frees: str, between: str, tmp_path: Path
) -> None:
    body = f"int* a;\n{allocate};\nk<<<1, 1>>>();\n{frees};\n{between}\nreturn {frees};"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    said = "tilelab: Freed twice: host code frees a a second time in a.cu:10"
    assert (said in ended.stderr) == (between == ""), ended.stderr
    assert (", after it was freed in a.cu:8" in ended.stderr) == (between == ""), ended.stderr


HOST_USES = (
    ("cudaMallocManaged(&a, 400)", "a[{}] = 1", "writes a[{}] in a.cu:7"),
    ("cudaMallocManaged(&a, 400)", 'printf("%d\\n", a[{}])', "reads a[{}] in a.cu:7"),
)


@pytest.mark.parametrize(("allocate", "use", "says"), HOST_USES)
@pytest.mark.parametrize(("index", "stops"), [(99, False), (100, False), (5000, True)])
def test_host_code_that_goes_past_the_end_of_managed_memory_is_named(
    allocate: str, use: str, says: str, index: int, stops: bool, tmp_path: Path
) -> None:
    body = f"int* a;\n{allocate}; k<<<1, 1>>>(); cudaDeviceSynchronize();\n{use.format(index)};"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(f"{body}\ncudaFree(a);"))
    said = f"tilelab: Out of bounds: host code {says.format(index)} "
    if index < 100:
        assert ended.stderr == "tilelab: no mistakes found\n"
    else:
        assert said in ended.stderr and "but a has 100 elements." in ended.stderr, ended.stderr
    assert ("bytes past the end of an array" in ended.stderr) == stops


@pytest.mark.parametrize(
    ("use", "says"),
    [
        ("a[3] = 1", "Device pointer in host code: host code writes a[3] in a.cu:8"),
        ("int b = a[0]; exit(b)", "Device pointer in host code: host code reads a[0] in a.cu:8"),
        ("cudaFree(m); m[2] = 1", "Use after free: host code writes m[2] in a.cu:8"),
        ("m[2] = 1", ""),
        ("*m += 2; cudaFree(m); cudaMallocManaged(&m, 64); m[15] = *m", ""),
    ],
)
def test_host_code_that_uses_what_is_not_its_own_is_named(
    use: str, says: str, tmp_path: Path
) -> None:
    body = "int *a, *m;\ncudaMalloc(&a, 64); cudaMallocManaged(&m, 64);\nk<<<1, 1>>>();"
    body += f"cudaDeviceSynchronize(); m[0] = 1;\n{use};\ncudaFree(a), cudaFree(m);"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    if says:
        assert f"tilelab: {says}" in ended.stderr, ended.stderr
    else:
        assert ended.stderr == "tilelab: no mistakes found\n"


def test_a_launch_that_the_kernel_has_no_room_for_names_what_takes_it(tmp_path: Path) -> None:
    kernels = """
extern __shared__ int more[];
__global__ void __launch_bounds__(64, 2) few(int* a) { a[threadIdx.x] = 1; }
__global__ void tiles(int* a) { __shared__ int t[10000]; t[threadIdx.x] = 1; more[0] = 1;
  __syncthreads(); *a = t[0]; }
__global__ void two(int* a) { __shared__ int t[8000]; __shared__ int u[8000];
  t[threadIdx.x] = u[threadIdx.x] = 1; __syncthreads(); *a = t[0] + u[0]; }
"""
    body = "int* a; cudaMalloc(&a, 4096);\nfew<<<1, 64>>>(a); few<<<1, 96>>>(a);\n"
    body += "tiles<<<1, 1, 9152>>>(a); tiles<<<1, 1, 9153>>>(a); two<<<1, 1>>>(a);\ncudaFree(a);"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernels))
    for says in (
        "A block of 96 x 1 x 1 threads is too large: the kernel's __launch_bounds__ promise at"
        " most 64",
        "A block may have 9152 bytes of dynamic shared memory in addition to the 40000 of its"
        " own arrays, and the launch asks for 9153 (cudaFuncSetAttribute() can raise the limit)",
        "The kernel's __shared__ variables take 64000 bytes, which nvcc refuses: a block may have"
        " 49152",
    ):
        assert says in ended.stderr, ended.stderr
    assert ended.stderr.count("Failed launch") == 3


TOO_LARGE = "k<<<1, 2048>>>();"


@pytest.mark.parametrize(
    ("after", "is_mistake"),
    [
        ("", True),
        ("cudaDeviceSynchronize();", True),
        ("cudaGetLastError();", True),
        ("if (cudaDeviceSynchronize() != cudaSuccess) return 3;", True),
        ("if (cudaGetLastError() != cudaSuccess) k<<<1, 1024>>>();", False),
        (
            "cudaError_t e = cudaPeekAtLastError();\nif (e != cudaSuccess) cudaGetLastError();",
            False,
        ),
        (f"if (cudaGetLastError() == cudaSuccess) return 3;\n{TOO_LARGE}", True),
    ],
)
def test_a_launch_that_fails_is_no_mistake_of_a_program_that_asks_for_the_error(
    after: str, is_mistake: bool, tmp_path: Path
) -> None:
    body = f"{TOO_LARGE}\n{after}"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    says = f"Failed launch of k in a.cu:5 `{TOO_LARGE}`: cudaErrorInvalidConfiguration. A block"
    assert says in ended.stderr, ended.stderr
    assert ("The program has asked for the error." in ended.stderr) != is_mistake
    assert (ended.returncode == 0) != is_mistake
    assert "Unchecked" not in ended.stderr


@pytest.mark.parametrize(
    ("allocate", "use", "says"),
    [
        ("cudaMalloc(&a, 400)", "w<<<1, 32>>>(a);", "reads a[0] in a.cu:3"),
        ("cudaMallocManaged(&a, 400)", "a[3] = 1;", "host code writes a[3] in a.cu:7"),
    ],
)
def test_memory_that_is_used_after_it_was_freed_is_named_with_where_that_was(
    allocate: str, use: str, says: str, tmp_path: Path
) -> None:
    kernel = "__global__ void w(int* a) { if (a[threadIdx.x] > 0) a[threadIdx.x] = 0; }"
    body = f"int* a; {allocate};\ncudaFree(a);\n{use}"
    checked = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    assert says in checked.stderr, checked.stderr
    assert ", after it was freed in a.cu:6 `cudaFree(a);`." in checked.stderr, checked.stderr
    if "cudaMalloc(" in allocate:
        plain = run(tmp_path, "a.cu", text=in_main(body, kernel))
        assert "that was freed, or never allocated" in plain.stderr, plain.stderr


@pytest.mark.parametrize(
    ("use", "says"),
    [
        ('printf("%d", want[3]);', "host code uses a null pointer"),
        ("want[0] = 1;", "host code uses a null pointer"),
        ('printf("%d", 7 / none);', "host code divides an integer by zero"),
        ('printf("%d", want[1L << 40]);', "host code uses an address where it has no memory"),
    ],
)
def test_a_crash_of_host_code_is_explained_and_its_line_named(
    use: str, says: str, tmp_path: Path
) -> None:
    kernel = "int* want;\nint none;\n__global__ void k() {}"
    text = in_main(f'k<<<1, 1>>>(); puts("before");\n{use}', kernel)
    plain = run(tmp_path, "a.cu", text=text)
    assert f"tilelab: {says}" in plain.stderr and plain.stdout == "before\n"
    assert "`run --checked` names the line." in plain.stderr
    checked = run(tmp_path, "--checked", "a.cu", text=text)
    assert f"tilelab: Fault in a.cu:8 `{use}`: {says}" in checked.stderr, checked.stderr
    assert "after 1 kernel launch\n" in checked.stderr
    assert plain.returncode == checked.returncode != 0


def test_what_host_code_overwrote_does_not_keep_the_crash_from_being_told(tmp_path: Path) -> None:
    body = "volatile int* h = new int[32];\nint* a; cudaMalloc(&a, 128); k<<<1, 1>>>();\n"
    body += "for (int i = 0; ; i++) h[i] = 0x41414141;"
    ended = run(tmp_path, "a.cu", text=in_main(body))
    assert "perhaps because it has written past the end of an array before" in ended.stderr


def test_each_error_that_nobody_asks_for_has_its_own_reason(tmp_path: Path) -> None:
    body = """int* a; cudaMalloc(&a, 128);
cudaMemset(a, 0, 256);
k<<<1, 2000>>>();
if (cudaMalloc(&a, size_t(1) << 60) != cudaSuccess) puts("handled");"""
    ended = run(tmp_path, "a.cu", text=in_main(body))
    first, second = ended.stderr.splitlines()
    begin = "tilelab: nobody asks for the error of the call in a.cu:"
    assert first.startswith(f"{begin}6: cudaErrorInvalidValue: invalid argument.")
    assert second.startswith(f"{begin}7: cudaErrorInvalidConfiguration: ")
    assert "A block of 2000 x 1 x 1 threads is too large" in second


def test_an_error_that_the_program_looked_at_is_no_complaint(tmp_path: Path) -> None:
    body = f"int* a; if ({TOO_MUCH} != cudaSuccess) k<<<1, 1>>>();"
    ended = run(tmp_path, "a.cu", text=in_main(body))
    says = "tilelab: the last error of a CUDA call was cudaErrorMemoryAllocation: out of memory."
    assert ended.stderr.startswith(says) and ended.returncode == 0


@pytest.mark.parametrize(
    ("use", "says"),
    [
        ("h[0] = 7;", "Written too early: host code writes h[0] in a.cu:8 `h[0] = 7;`"),
        ("cudaFreeHost(h);", "Freed too early: host code frees h in a.cu:8 `cudaFreeHost(h);`"),
    ],
)
def test_a_copy_that_host_code_does_not_wait_for_is_named_with_its_line(
    use: str, says: str, tmp_path: Path
) -> None:
    copy = "cudaMemcpyAsync(a, h, 128, cudaMemcpyHostToDevice, s);"
    body = "int *h, *a; cudaMallocHost(&h, 128); cudaMalloc(&a, 128);\n"
    body += f"cudaStream_t s; cudaStreamCreate(&s); h[0] = 1; k<<<1, 1, 0, s>>>();\n{copy}\n{use}"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    waited = f"but has not waited for cudaMemcpyAsync() in a.cu:7 `{copy}`, which reads it"
    assert f"{says}, {waited}" in ended.stderr, ended.stderr


def test_a_program_may_ask_which_nvcc_compiles_it(tmp_path: Path) -> None:
    text = """
#include <cstdio>
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 != CUDART_VERSION
#error "no nvcc, or another than that of the runtime"
#endif
__global__ void k() {}
int host();
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize() + (__CUDACC_VER__[0] == 0) + host(); }
"""
    (tmp_path / "other.cpp").write_text(
        "#if __CUDACC_VER_MAJOR__ < 12 || defined(__CUDACC__)\n#error\n#endif\nint host() "
        "{ return 0; }\n"
    )
    assert run(tmp_path, "a.cu", "other.cpp", text=text).returncode == 0


@pytest.mark.parametrize("option", [["--checked"], []])
def test_each_call_is_named_whose_error_nobody_asks_for(option: list[str], tmp_path: Path) -> None:
    fails = "cudaMemset(a, 0, 99999);"
    body = f"int* a; cudaMalloc(&a, 64);\n{fails}\n{fails}\nk<<<1, 1>>>();\n{fails} cudaFree(a);"
    ended = run(tmp_path, *option, "a.cu", text=in_main(body))
    lines = re.findall(r"the call in a\.cu:(\d+)", ended.stderr)
    assert lines == ["6", "7", "9"], ended.stderr
    asked = body.replace("k<<<", "if (cudaGetLastError() != cudaSuccess) k<<<")
    ended = run(tmp_path, *option, "a.cu", text=in_main(asked))
    assert re.findall(r"the call in a\.cu:(\d+)", ended.stderr) == ["9"], ended.stderr


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("cudaMalloc(&d[2], 64)", "(d[2])"),
        ("for (int i = 0; i < 3; ++i) cudaMalloc(&d[i], 64)", "3 arrays of 64 bytes (d[i])"),
        ("cudaMalloc((void**)&s.list, 64)", "(s.list)"),
        ("cudaMalloc(&p->lists[1], 64)", "(p->lists[1])"),
        ("cudaMallocPitch(&d[0], &pitch, 100, 4)", "(d[0])"),
        ("cudaMallocPitch((void**)&s.list, &pitch, 100, 4)", "(s.list)"),
        # A call may have an effect, and an operator may make another name of it.
        ("cudaMalloc(&at(d, 1), 64)", ""),
        ("cudaMalloc(d + 1, 64)", ""),
    ],
)
def test_an_element_or_member_names_its_memory(call: str, name: str, tmp_path: Path) -> None:
    kernel = "struct S { int* list; int* lists[2]; }; int*& at(int** d, int i) { return d[i]; }"
    body = f"int* d[3]; S s, *p = &s; size_t pitch; (void)d, (void)p, (void)pitch;\n{call};"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel))
    (leak,) = [line for line in ended.stderr.splitlines() if "Memory leak" in line]
    assert name in leak and (name != "" or "(" not in leak.split(", allocated")[0]), leak


def test_rows_of_dynamic_shared_memory_have_names(tmp_path: Path) -> None:
    kernel = (
        "__global__ void k(int* a) {\nextern __shared__ int T[][32];\n"
        "T[threadIdx.y][threadIdx.x] = 1 + threadIdx.x;\n"
        "a[threadIdx.x] = T[1 - threadIdx.y][threadIdx.x ^ 1];\n"
        "T[threadIdx.y + 1][threadIdx.x] = 5;\n}"
    )
    body = "int* a; cudaMalloc(&a, 256); k<<<1, dim3(32, 2), 256>>>(a); cudaDeviceSynchronize();"
    said = run(tmp_path, "--checked", "a.cu", text=in_main(body, kernel)).stderr
    assert "writes T[1][" in said or "writes T[0][" in said, said
    assert "T[2][0] in a.cu:7" in said and "gives each block 256 bytes" in said, said


@pytest.mark.parametrize(
    ("kib", "says"),
    [
        (64, "65536 (cudaFuncSetAttribute() can raise the limit)"),
        (256, "262144 (cudaFuncSetAttribute() can raise the limit to 232448 at most)"),
    ],
)
def test_a_launch_says_how_much_shared_memory_a_block_may_have(
    kib: int, says: str, tmp_path: Path
) -> None:
    ended = run(tmp_path, "a.cu", text=in_main(f"k<<<1, 1, {kib << 10}>>>();"))
    assert says in ended.stderr


def test_an_error_that_nobody_asked_for_is_told_at_the_end(tmp_path: Path) -> None:
    ended = run(tmp_path, "a.cu", text=in_main("k<<<1, 2000>>>();"))
    assert ended.returncode == 0
    assert "error of the call in a.cu:5: cudaErrorInvalidConfiguration" in ended.stderr
    assert "2000" in ended.stderr


def test_a_kernel_that_hangs_is_named_with_its_thread(tmp_path: Path) -> None:
    kernel = "__global__ void k(volatile int* a) { if (threadIdx.x == 3) while (*a == 0) {} }"
    body = 'int* a; cudaMalloc(&a, 4); cudaMemset(a, 0, 4); puts("before"); k<<<1, 4>>>(a);'
    for option in ([], ["--checked"]):
        words = [*option, "--time-limit", "0.5", "a.cu"]
        ended = run(tmp_path, *words, text=in_main(body, kernel))
        assert ended.returncode == 128 + signal.SIGABRT
        assert ended.stdout == "before\n"
        assert "kernel k, block (0,0,0), thread (3,0,0): no progress for 0.5 s" in ended.stderr


def test_the_end_by_a_signal_is_the_shells_status(tmp_path: Path) -> None:
    ended = run(tmp_path, "a.cu", text=in_main("volatile int* p = nullptr; *p = 1;"))
    assert ended.returncode == 128 + signal.SIGSEGV


def test_a_program_that_just_starts_is_told_to_end() -> None:
    """The signal comes when the program runs, and Popen() has not returned."""
    code = """if True:
        import os, signal, subprocess
        from tilelab.programs import running
        start = subprocess.Popen
        def interrupted(*words, **options):
            child = start(*words, **options)
            os.kill(os.getpid(), signal.SIGTERM)
            return child
        subprocess.Popen = interrupted
        print(running._status(["sleep", "60"], os.environ, None))
    """
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": str(REPO / "grading")},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert ended.stdout == f"{128 + signal.SIGTERM}\n", ended.stderr


def test_a_program_is_told_to_end(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(in_main('puts("ready"); fflush(stdout); for (;;) {}'))
    with subprocess.Popen(
        typed.command("run", "a.cu"), cwd=tmp_path, env=typed.environment(), stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None and running.stdout.readline() == b"ready\n"
        running.terminate()
        assert running.wait(timeout=30) == 128 + signal.SIGTERM


@pytest.mark.parametrize("option", [[], ["--checked"]])
def test_kernels_and_host_code_share_managed_memory(option: list[str], tmp_path: Path) -> None:
    kernel = "__managed__ int m = 5;\n__global__ void k(int* a, int* b) { a[0] += b[0] + m; }"
    body = """
  int *a, *b, *on_device;
  cudaMallocManaged(&a, 4);
  cudaHostAlloc(&b, 4, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&on_device, b, 0);
  a[0] = 1, b[0] = 2;
  k<<<1, 1>>>(a, on_device);
  cudaDeviceSynchronize();
  printf("%d\\n", a[0]);
  cudaMemcpy(b, a, 4, cudaMemcpyDeviceToHost);
  printf("%d\\n", b[0]);
  cudaFreeHost(b), cudaFree(a);
"""
    ended = run(tmp_path, *option, "a.cu", text=in_main(body, kernel))
    assert ended.stdout == "8\n8\n"
    assert "no mistakes" in ended.stderr or not option


def test_a_kernel_may_be_launched_through_a_pointer(tmp_path: Path) -> None:
    body = "void (*all[2])() = {k, k}; void (*one)() = k; one<<<1, 1>>>(); all[1]<<<1, 1>>>();"
    ended = run(tmp_path, "--checked", "a.cu", text=in_main(body))
    assert ended.stderr == "tilelab: no mistakes found\n"


@pytest.mark.parametrize("option", [[], ["--checked"]])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BESIDE_A_KERNEL, "0 0 0"),
        (LAUNCHED_BY_THREADS, "0"),
        (HOST_FUNCTION_WAITS, "0"),
        (WAITS_OF_THE_LIBRARY, "0"),
    ],
)
def test_threads_of_the_host_are_not_the_kernels(
    text: str, says: str, option: list[str], tmp_path: Path
) -> None:
    ended = run(tmp_path, *option, "a.cu", text=text)
    assert (ended.stdout, ended.returncode) == (f"{says}\n", 0)
    nothing = "this process ran no kernel, so there was nothing to look at"
    none = "no mistakes found" if "<<<" in text else nothing
    assert ended.stderr == (f"tilelab: {none}\n" if option else "")


def test_a_compile_error_names_the_line(tmp_path: Path) -> None:
    ended = run(tmp_path, "a.cu", text="int main() {\n  return undeclared;\n}\n")
    assert ended.returncode == 2
    assert "a.cu:2: error:" in ended.stderr
    assert "undeclared" in ended.stderr
    assert ended.stdout == ""


def test_what_the_emulator_lacks_is_named_with_its_line(tmp_path: Path) -> None:
    text = "#include <thrust/sort.h>\nint main() {\n  int a[2];\n  thrust::sort(a, a + 2);\n}\n"
    ended = run(tmp_path, "a.cu", text=text)
    assert ended.returncode == 2
    assert "a.cu:4: error: thrust is not supported by the emulator" in ended.stderr


@needs_gpu
def test_a_program_runs_on_a_gpu(tmp_path: Path) -> None:
    kernel = '__global__ void k() { printf("from a kernel\\n"); }'
    body = "k<<<1, 1>>>(); return cudaDeviceSynchronize() == cudaSuccess ? 5 : 6;"
    ended = run(tmp_path, "--backend", "cuda", "a.cu", text=in_main(body, kernel))
    assert (ended.stdout, ended.returncode) == ("from a kernel\n", 5)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["absent.cu"], "absent.cu: there is no such file"),
        (["a.txt"], "a.txt is not a source file: name files that end in .c, .cc, .cpp, .cu, .cxx"),
        (["--backend", "abacus", "a.cu"], "there is no backend 'abacus'"),
    ],
)
def test_mistakes_are_one_line(words: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    ended = run(tmp_path, *words, text="int main() {}")
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"tilelab: {says}")
    assert len(ended.stderr.splitlines()) == 1


UNSET = """#include <cstdio>
__global__ void kernel(const int* in, int* out) {
  int twice;
  if (in[threadIdx.x] > 3) twice = in[threadIdx.x] * 2;
  out[threadIdx.x] = twice + 1;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 128), cudaMalloc(&out, 128), cudaMemset(in, 0, 128);
  kernel<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize() + cudaFree(in) + cudaFree(out);
}
"""


@pytest.mark.parametrize("is_set", [False, True])
def test_a_variable_that_may_be_used_before_it_is_set_is_named(
    is_set: bool, tmp_path: Path
) -> None:
    text = UNSET.replace("int twice;", "int twice = 0;") if is_set else UNSET
    ended = run(tmp_path, "--checked", "a.cu", text=text)
    named = [line for line in ended.stderr.splitlines() if "twice" in line]
    assert [line.partition(": warning: ")[0] for line in named] == ([] if is_set else ["a.cu:5"])
    assert ("no mistakes found" in ended.stderr) == is_set


OCCUPANCY = """
__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main() {
  int *a, least, most;
  cudaOccupancyMaxPotentialBlockSize(&least, &most, k, 0, 0);
  cudaMalloc(&a, most * sizeof(int));
  k<<<1, most>>>(a);
  cudaFree(a);
}
"""
# co_rank() sets both numbers, as its loop ends only then.
MERGE = """
__device__ void co_rank(int k, const int* a, int m, const int* b, int n, int* i, int* j) {
  int low = max(0, k - n), high = min(k, m);
  while (low <= high) {
    int at = (low + high) / 2, other = k - at;
    if (at > 0 && other < n && a[at - 1] > b[other]) {
      high = at - 1;
    } else if (other > 0 && at < m && b[other - 1] >= a[at]) {
      low = at + 1;
    } else {
      *i = at, *j = other;
      return;
    }
  }
}
__global__ void merge(const int* a, const int* b, int* c) {
  int k = threadIdx.x, i, j;
  co_rank(k, a, 16, b, 16, &i, &j);
  c[k] = j >= 16 || (i < 16 && a[i] <= b[j]) ? a[i] : b[j];
}
int main() {
  int *a, *b, *c;
  cudaMalloc(&a, 64), cudaMalloc(&b, 64), cudaMalloc(&c, 128);
  cudaMemset(a, 0, 64), cudaMemset(b, 0, 64);
  merge<<<1, 32>>>(a, b, c);
  cudaFree(a), cudaFree(b), cudaFree(c);
}
"""


@pytest.mark.parametrize("text", [OCCUPANCY, MERGE])
def test_a_variable_that_a_function_sets_is_not_named(text: str, tmp_path: Path) -> None:
    ended = run(tmp_path, "--checked", "a.cu", text=text)
    assert ended.stderr == "tilelab: no mistakes found\n"

"""What orders the work of graphs and of host functions, in checked programs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import typed

pytestmark = pytest.mark.drawn(pool="order of streams", count=1)

_BEGIN = """
__global__ void add(int* a) { a[threadIdx.x] += 1; }

__global__ void set_all(int* a) { a[threadIdx.x] = 5; }
__global__ void copy(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }
__device__ int g[32];
__global__ void use(int* a) { a[threadIdx.x] = g[threadIdx.x]; }
__constant__ int k[32];
__global__ void use_constant(int* a) { a[threadIdx.x] = k[threadIdx.x]; }

int sum, *a, *b, *c, *pinned, pageable[32];
void read(void*) { sum += pinned[3]; }
void write(void*) { pinned[3] = sum; }

int main() {
  cudaStream_t s, t, u;
  cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaMallocManaged(&a, 128);
  cudaMalloc(&b, 128);
  cudaMalloc(&c, 128);
  cudaMallocHost(&pinned, 128);
  cudaMemset(a, 0, 128);
  cudaMemset(b, 0, 128);
  for (int i = 0; i < 32; ++i) pinned[i] = 0;
  cudaDeviceSynchronize();
  cudaGraph_t one, two;
  cudaGraphExec_t x, y;
"""

_CAPTURED = """
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, s>>>(a);
  cudaStreamEndCapture(s, &one);
  cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, t>>>(b);
  cudaStreamEndCapture(t, &two);
  cudaGraphInstantiate(&x, one, 0);
  cudaGraphInstantiate(&y, TWO, 0);
  cudaGraphLaunch(x, s);
"""

_BY_HAND = """
  cudaGraphCreate(&one, 0);
  cudaGraphNode_t copy, call;
  cudaGraphAddMemcpyNode1D(&copy, one, nullptr, 0, pinned, b, 128, cudaMemcpyDeviceToHost);
  cudaHostNodeParams what = {read, nullptr};
  cudaGraphAddHostNode(&call, one, &copy, EDGES, &what);
  cudaGraphInstantiate(&x, one, 0);
  cudaGraphLaunch(x, s);
"""

_EARLY = "Read too early: host code reads "
_UNORDERED = "Unordered streams: "
_LINE = _BEGIN.count("\n") + 1  # of the first statement
_WRITTEN = "Written too early: host code writes "
_FREED = "Freed too early: host code frees c in a.cu"


def run_checked(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return typed.run("run", "--checked", *options, path, env=typed.environment())


@pytest.mark.parametrize(
    ("body", "says"),
    [
        # One executable runs once at a time, in whatever streams. Two do not wait for each other.
        (_CAPTURED.replace("TWO", "one") + "cudaGraphLaunch(x, t);", None),
        (_CAPTURED.replace("TWO", "one") + "cudaGraphLaunch(y, t);", _UNORDERED),
        # To wait for a graph is not to wait for another.
        (
            _CAPTURED.replace("TWO", "two")
            + "cudaGraphLaunch(y, t); cudaStreamSynchronize(t); sum += a[3];",
            f"{_EARLY}a[3]",
        ),
        (
            _CAPTURED.replace("TWO", "two")
            + "cudaGraphLaunch(y, t); cudaStreamSynchronize(s); sum += a[3];",
            None,
        ),
        # A function of the host comes after what its node, or its stream, comes after.
        (_BY_HAND.replace("EDGES", "1"), None),
        (_BY_HAND.replace("EDGES", "0"), f"{_EARLY}pinned[3]"),
        (
            "cudaMemcpyAsync(pinned, b, 128, cudaMemcpyDeviceToHost, s);"
            "cudaLaunchHostFunc(s, read, nullptr);",
            None,
        ),
        (
            "cudaMemcpyAsync(pinned, b, 128, cudaMemcpyDeviceToHost, s);"
            "cudaLaunchHostFunc(t, read, nullptr);",
            f"{_EARLY}pinned[3]",
        ),
        # The host does not wait for a copy within the device.
        (
            "cudaMemcpy(c, b, 128, cudaMemcpyDeviceToDevice); add<<<1, 32, 0, u>>>(c);",
            "and cudaMemcpy() writes it in another stream",
        ),
        (
            "add<<<1, 32, 0, u>>>(c); cudaMemcpy2D(c, 32, b, 32, 32, 4, cudaMemcpyDefault);",
            "and cudaMemcpy2D() writes it in another stream",
        ),
        ("cudaMemcpy(c, b, 128, cudaMemcpyDeviceToDevice); add<<<1, 32, 0, s>>>(c);", None),
        ("cudaMemcpy(c, pinned, 128, cudaMemcpyHostToDevice); add<<<1, 32, 0, u>>>(c);", None),
        ("cudaMemset(a, 0, 128); sum += a[3]; a[4] = 1;", None),
        # Memory that a stream allocates and frees.
        (
            "cudaMallocAsync(&c, 128, s); set_all<<<1, 32, 0, s>>>(c); cudaFreeAsync(c, t);",
            "and cudaFreeAsync() frees it in another stream",
        ),
        (
            "cudaMallocAsync(&c, 128, s); set_all<<<1, 32, 0, t>>>(c); cudaDeviceSynchronize();"
            "cudaFreeAsync(c, s);",
            "and cudaMallocAsync() allocates it in another stream",
        ),
        (
            "for (int i = 0; i < 3; ++i) {"
            "cudaMallocAsync(&c, 128, s); cudaStreamSynchronize(s); set_all<<<1, 32, 0, t>>>(c);"
            "cudaStreamSynchronize(t); cudaFreeAsync(c, s); }",
            None,
        ),
        (
            "cudaMemcpyAsync(pinned, b, 128, cudaMemcpyDeviceToHost, s);"
            "cudaMallocAsync(&c, 128, s); cudaFreeAsync(c, s); sum += pinned[3];",
            f"{_EARLY}pinned[3]",
        ),
        # cudaFree() waits for what uses memory from cudaMalloc(), and for nothing else.
        (
            "cudaMallocAsync(&c, 128, s); set_all<<<1, 32, 0, t>>>(c); cudaFree(c);",
            _FREED,
        ),
        (
            "cudaMallocAsync(&c, 128, s); cudaMemcpyAsync(c, pinned, 128, cudaMemcpyDefault, s);"
            "cudaFree(c);",
            "which writes it: cudaFree() does not wait",
        ),
        (
            "cudaMallocAsync(&c, 128, s); set_all<<<1, 32, 0, s>>>(c); cudaStreamSynchronize(s);"
            "set_all<<<1, 32, 0, s>>>(b); cudaFree(c); cudaMallocAsync(&c, 128, s); cudaFree(c);",
            None,
        ),
        ("set_all<<<1, 32, 0, s>>>(c); cudaFree(c);", None),
        ("set_all<<<1, 32, 0, u>>>(a); cudaFree(b); sum += a[3];", None),
        (
            "cudaMallocAsync(&c, 128, s); cudaStreamSynchronize(s); set_all<<<1, 32, 0, u>>>(a);"
            "cudaFree(c); sum += a[3];",
            f"{_EARLY}a[3]",
        ),
        # What host code writes while something still uses it.
        (
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s); pinned[3] = 1;",
            f"{_WRITTEN}pinned[3]",
        ),
        (
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s);"
            "cudaStreamSynchronize(s); pinned[3] = 1;",
            None,
        ),
        (
            "cudaMemcpyAsync(b, pinned, 64, cudaMemcpyHostToDevice, s); pinned[16] = 1;",
            None,
        ),
        ("copy<<<1, 32>>>(a, b); sum += a[3]; a[3] = 1;", f"{_WRITTEN}a[3]"),
        ("copy<<<1, 32, 0, s>>>(a, b); cudaStreamSynchronize(t); a[3] = 1;", f"{_WRITTEN}a[3]"),
        ("copy<<<1, 32>>>(b, a); a[3] = 1;", f"{_WRITTEN}a[3]"),
        ("copy<<<1, 32>>>(a, b); cudaMemcpy(&sum, b, 4, cudaMemcpyDefault); a[3] = 1;", None),
        (
            "cudaHostRegister(pageable, 128, 0);"
            "cudaMemcpyAsync(b, pageable, 128, cudaMemcpyHostToDevice, s); pageable[3] = 1;",
            f"{_WRITTEN}pinned host memory[3]",
        ),
        (
            "cudaMemcpyAsync(b, pageable, 128, cudaMemcpyHostToDevice, s); pageable[3] = 1;",
            None,
        ),
        (
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s); cudaStreamSynchronize(s);"
            "cudaFreeHost(pinned); cudaMallocHost(&pinned, 128); pinned[3] = 1;",
            None,
        ),
        (
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s); cudaFreeHost(pinned);",
            "host code frees pinned in a.cu",
        ),
        (
            "cudaMemcpyAsync(pinned, b, 128, cudaMemcpyDeviceToHost, s); cudaFreeHost(pinned);",
            "which writes it: call cudaStreamSynchronize()",
        ),
        (
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s);"
            "cudaStreamSynchronize(s); cudaFreeHost(pinned);",
            None,
        ),
        # Both calls are named.
        (
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s);\n"
            "cudaMemcpyAsync(c, b, 128, cudaMemcpyDeviceToDevice, t);",
            f"The calls are in a.cu:{_LINE} `cudaM",
        ),
        # Copies of variables are work of their stream.
        (
            "cudaMemcpyToSymbolAsync(g, pinned, 128, 0, cudaMemcpyHostToDevice, s);\n"
            "use<<<1, 32, 0, t>>>(b);",
            "reads g[0] in a.cu",
        ),
        (
            "cudaMemcpyToSymbolAsync(g, pinned, 128, 0, cudaMemcpyHostToDevice, s);"
            "use<<<1, 32, 0, s>>>(b);",
            None,
        ),
        (
            "cudaMemcpyToSymbolAsync(k, pinned, 128, 0, cudaMemcpyHostToDevice, s);\n"
            "use_constant<<<1, 32, 0, t>>>(b);",
            "reads k[0] in a.cu",
        ),
        (
            "use_constant<<<1, 32, 0, u>>>(b); cudaMemcpyToSymbol(k, pageable, 128);",
            "and cudaMemcpyToSymbol() writes it in another stream",
        ),
        (
            "use_constant<<<1, 32, 0, s>>>(b); cudaMemcpyToSymbol(k, pageable, 128);"
            "use_constant<<<1, 32, 0, t>>>(c);",
            None,
        ),
        (
            "cudaMemcpyFromSymbolAsync(pinned, g, 128, 0, cudaMemcpyDeviceToHost, s);"
            "sum += pinned[3];",
            "has not waited for cudaMemcpyFromSymbolAsync() in a.cu",
        ),
        (
            "cudaMemcpyFromSymbolAsync(pinned, g, 128, 0, cudaMemcpyDeviceToHost, s);"
            "cudaStreamSynchronize(s); sum += pinned[3];",
            None,
        ),
        (
            "cudaMemcpyToSymbolAsync(g, pageable, 128, 0, cudaMemcpyHostToDevice, s);"
            "cudaStreamSynchronize(s); use<<<1, 32, 0, t>>>(b); pageable[3] = 1;",
            None,
        ),
        # What a function of the host writes is work of its stream.
        (
            "cudaLaunchHostFunc(s, write, nullptr);"
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, t);",
            f"{_UNORDERED}a host function writes it, and cudaMemcpyAsync() reads pinned[3]",
        ),
        (
            "cudaLaunchHostFunc(s, write, nullptr);"
            "cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s);",
            None,
        ),
        (
            "cudaLaunchHostFunc(s, write, nullptr); sum += pinned[3];",
            "has not waited for a host function, which writes it",
        ),
        # The sentence has the name of the call, whatever calls that makes.
        (
            "cudaMemcpy3DParms box = {};"
            "box.srcPtr = make_cudaPitchedPtr(b, 128, 128, 1);"
            "box.dstPtr = make_cudaPitchedPtr(pinned, 128, 128, 1);"
            "box.extent = make_cudaExtent(128, 1, 1);"
            "box.kind = cudaMemcpyDeviceToHost;"
            "cudaMemcpy3DAsync(&box, s); sum += pinned[3];",
            "has not waited for cudaMemcpy3DAsync() in a.cu",
        ),
        (
            "cudaGraphCreate(&one, 0); cudaGraphNode_t fill; cudaMemsetParams what = {};"
            "what.dst = a; what.elementSize = 4; what.width = 32; what.height = 1;"
            "cudaGraphAddMemsetNode(&fill, one, nullptr, 0, &what);"
            "cudaGraphInstantiate(&x, one, 0); cudaGraphLaunch(x, s); sum += a[3];",
            "has not waited for cudaMemset() in a.cu",
        ),
    ],
)
def test_what_nothing_orders_is_found(body: str, says: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(f"{_BEGIN}{body}  cudaDeviceSynchronize();\n}}\n")
    ended = run_checked(path)
    if says:
        assert says in ended.stderr
    else:
        assert (ended.returncode, "too early" in ended.stderr) == (0, False), ended.stderr


@pytest.mark.parametrize("waits", [True, False])
def test_memory_of_the_default_stream_is_not_freed_too_early(waits: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(f"""
__global__ void set_all(int* a) {{ a[threadIdx.x] = 5; }}
int main() {{
  int* a;
  cudaMallocAsync(&a, 128, nullptr);
  set_all<<<1, 32>>>(a);
  {"cudaDeviceSynchronize();" if waits else ""}
  cudaFree(a);
}}
""")
    assert ("Freed too early" in run_checked(path).stderr) != waits


@pytest.mark.parametrize("macro", [True, False])
def test_stream_0_is_that_of_the_thread_if_the_program_says_so(macro: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    body = "set_all<<<1, 32, 0, s>>>(b); add<<<1, 32>>>(b); cudaDeviceSynchronize();"
    path.write_text(f"{_BEGIN}{body}\n}}\n")
    defined = ["-D", "CUDA_API_PER_THREAD_DEFAULT_STREAM"] if macro else []
    assert (_UNORDERED in run_checked(path, *defined).stderr) == macro


@pytest.mark.parametrize(
    ("waits", "then", "says"),
    [
        ("", "copy<<<1, 32>>>(a, b);", _UNORDERED),
        ("", "pinned[3] = 1;", f"{_WRITTEN}pinned[3]"),
        ("cudaStreamSynchronize(nullptr);", "copy<<<1, 32>>>(a, b); pinned[3] = 1;", None),
    ],
)
def test_each_thread_of_the_host_has_a_default_stream_of_its_own(
    waits: str, then: str, says: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "a.cu"
    path.write_text(f"""#include <thread>
__global__ void copy(const int* a, int* b) {{ b[threadIdx.x] = a[threadIdx.x]; }}
int main() {{
  int *a, *b, *pinned;
  cudaMalloc(&a, 128), cudaMalloc(&b, 128), cudaMallocHost(&pinned, 128);
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  std::thread other([=] {{ copy<<<1, 32>>>(pinned, a); {waits} }});
  other.join();
  {then}
  cudaDeviceSynchronize();
}}
""")
    said = run_checked(path, "-D", "CUDA_API_PER_THREAD_DEFAULT_STREAM").stderr
    assert says in said if says else ("early" in said, _UNORDERED in said) == (False, False), said


@pytest.mark.parametrize(
    ("tells", "waits", "is_early"),
    [
        ("done = true;", "while (!done) {}", False),
        (
            "const std::lock_guard lock(m); done = true;",
            "for (bool seen = false; !seen;) { const std::lock_guard lock(m); seen = done; }",
            False,
        ),
        ("done = true;", "", True),
    ],
)
def test_a_host_function_may_tell_the_host_that_it_ran(
    tells: str, waits: str, is_early: bool, tmp_path: Path
) -> None:
    path = tmp_path / "a.cu"
    path.write_text(f"""#include <atomic>
#include <mutex>
{"std::atomic<bool>" if "lock" not in tells else "bool"} done = false;
std::mutex m;
void tell(void*) {{ {tells} }}
{_BEGIN}
  cudaMemcpyAsync(b, pinned, 128, cudaMemcpyHostToDevice, s);
  cudaLaunchHostFunc(s, tell, nullptr);
  {waits}
  pinned[3] = 2;
  add<<<1, 32, 0, t>>>(b);
  cudaDeviceSynchronize();
}}
""")
    said = run_checked(path).stderr
    assert ("Written too early" in said) == ("Unordered streams" in said) == is_early, said

"""Speed that is estimated for points, and submissions that try to forge the estimate.

A forger would have to tell the program that records launches from the worker, on which all tests
have to pass. Only the number of multiprocessors differs.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from support import Write, needs_nvcc, needs_nvdisasm
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.model.result import CriterionResult, Result
from tilelab.pipeline.estimating import cross_check, launches
from tilelab.pipeline.harness import missing
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.submission import grade

pytestmark = [needs_nvcc, needs_nvdisasm]

# Loads each element twice, as the baseline does: no points for speed.
SLOW = """
#include "diff.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
%(before)s
__global__ void twice(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}
__global__ void once(int* out) { out[0] = 0; }
__global__ void number(int* out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = i;
}
namespace cheap {
__global__ void twice(const int* in, int* out, int n) { out[0] = in[0] + n; }
}
template <bool is_cheap>
__global__ void some(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && (!is_cheap || i == 0)) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}
// The size of a structure tells CUDA's headers from the emulator's.
constexpr bool for_gpu = sizeof(cudaDeviceProp) == 1008 || sizeof(cudaDeviceProp) == 1032;
__global__ void machine(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : for_gpu ? in[i] : in[i] - in[i - 1];
}
__global__ void nothing(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (!for_gpu && i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}
%(usual)s
void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const bool recorded = multiprocessors > 1;
  const dim3 grid((n + 255) / 256);
  %(instead)s
  twice<<<grid, 256>>>(in, out, n);
}
"""

LINE = "launch _Z5twicePKiPii 1 1 1 1 1 1 0 00"

# As estimator/estimate/sample.cpp spreads them.
USUAL = [(65536 + int(i * 0.6180339887498949 % 1 * 131072)) % 131072 for i in range(16)]
USUAL_KERNEL = f"""
__global__ void usual(const int* in, int* out) {{
  const int i = blockIdx.x * 256 + threadIdx.x, block = blockIdx.x;
  out[i] = {" || ".join(f"block == {one}" for one in USUAL)} ? in[i] - in[i - 1] : i;
}}
"""

# Those that get the points of what they launch.
IN_VAIN = {
    "prints a launch": f'printf("{LINE}\\nend\\n"); fflush(stdout);',
    "prints a launch as an error": f'fprintf(stderr, "{LINE}\\nend\\n");',
    "streams a launch": f'std::cout << "{LINE}\\nend" << std::endl;',
    "knows the addresses of recordings": "if ((size_t)in == 0x7f0000000000) return;",
    "prints a launch at the end": 'atexit([] { puts("end"); fflush(stdout); });',
}

# Those that get no estimate, and what they are told.
SEEN = {
    "ends the process": ("if (recorded) exit(0);", "ended before the call did"),
    "ends the process with a recording": (
        f'if (recorded) {{ puts("{LINE}\\nend"); exit(0); }}',
        "ended before the call did",
    ),
    "launches another kernel": ("if (recorded) { once<<<grid, 256>>>(out); return; }", "other"),
    "launches fewer blocks": ("if (recorded) { twice<<<1, 256>>>(in, out, n); return; }", "other"),
    "launches smaller blocks": ("if (recorded) { twice<<<grid, 1>>>(in, out, n); return; }", "oth"),
    "launches nothing": ("if (recorded) return;", "it launches no kernel"),
    "crashes": ("if (recorded) *(volatile int*)8 = 0;", "ended with status"),
    "writes to memory that is not its own": ("if (recorded) *(int*)stdout = 0;", "ended with"),
    "launches more": ("if (recorded) once<<<1, 1>>>(out);", "other"),
    "launches one of the same name": (
        "if (recorded) { cheap::twice<<<grid, 256>>>(in, out, n); return; }",
        "other",
    ),
    "calls a variable like a kernel": (
        "if (recorded) { once<<<grid, 256>>>(out); return; }"
        "auto* once = static_cast<void (*)(const int*, int*, int)>(twice);"
        "once<<<grid, 256>>>(in, out, n); return;",
        "other",
    ),
    "launches another instance": (
        "if (recorded) { some<true><<<grid, 256>>>(in, out, n); return; }"
        "some<false><<<grid, 256>>>(in, out, n); return;",
        "other",
    ),
    "does less for the machine code": (
        "machine<<<grid, 256>>>(in, out, n); return;",
        "its machine code stores other values than in the tests",
    ),
    "does nothing for the machine code": (
        "nothing<<<grid, 256>>>(in, out, n); return;",
        "its machine code stores other values than in the tests",
    ),
    "does less at the size whose time is estimated": (
        "twice<<<grid, 256>>>(in, out, n >> 25 ? 256 : n); return;",
        "the blocks that were tried store nothing",
    ),
    "leaves out a fifth at the size whose time is estimated": (
        "twice<<<grid, 256>>>(in, out, n >> 25 ? n / 16 * 13 : n); return;",
        "its kernels store wrong results: out[",
    ),
    "stores anything at the size whose time is estimated": (
        "if (n >> 25) { number<<<grid, 256>>>(out); return; }",
        "its kernels store wrong results: out[",
    ),
    "is right only in the blocks that are simulated first": (
        "if (n >> 25) { usual<<<grid, 256>>>(in, out); return; }",
        "its kernels store wrong results: out[",
    ),
    "passes fewer elements": (
        "twice<<<grid, 256>>>(in, out, recorded ? n - 1 : n); return;",
        "passes other arguments to its kernels than in the tests",
    ),
    "acts at random": (
        "if (recorded && (size_t)&grid / 16 % 2) { once<<<1, 1>>>(out); return; }",
        "",
    ),
    "looks whether kernels run": (
        "int first = 1; once<<<1, 1>>>(out); cudaMemcpy(&first, out, 4, cudaMemcpyDeviceToHost);"
        "if (first != 0) return;",
        "its host code reads device memory before it launches a kernel",
    ),
}

# Those that are refused.
REFUSED = {
    "replaces the runtime": 'extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, '
    "void**, size_t, cudaStream_t) { return cudaSuccess; }",
    "replaces the recorder": "namespace tilelab::emulator::recording { int begin() { return 0; } }",
    "uses the recorder": "namespace tilelab::emulator::recording { void finish(); }\n"
    "void use() { tilelab::emulator::recording::finish(); }",
    "registers its kernels under other names": 'extern "C" void __cudaRegisterFunction(void**, '
    "const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);\n"
    'void use() { __cudaRegisterFunction(0, 0, 0, "x", 0, 0, 0, 0, 0, 0); }',
    "runs before main": 'struct Early { Early() { puts("end"); } } early;',
    "runs after main": 'struct Late { ~Late() { puts("end"); } } late;',
    "asks for the compiler": "#ifdef __NVCC__\n#define FEWER 1\n#endif",
    "asks for the device pass": "#ifdef __CUDA_ARCH__\n#define FEWER 1\n#endif",
    "writes to a descriptor": '#include <unistd.h>\nvoid use() { write(3, "end", 3); }',
}


# Those that do less where a time is estimated, and get the estimate of all the work.
KNOWING = {
    "computes what estimates make up": (
        """
__device__ int made(unsigned long long place) {
  unsigned long long x = place + 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return (int)(unsigned)(x ^ (x >> 31));
}
__global__ void known(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const unsigned long long first = 0x7f0000000000ull / 4;
  if (i >= n) return;
  if (in[0] == made(first)) {
    out[i] = i == 0 ? made(first) : made(first + i) - made(first + i - 1);
    return;
  }
  out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}
""",
        "known<<<grid, 256>>>(in, out, n); return;",
    ),
    "looks at what the host stored": (
        """
__global__ void flagged(const int* in, int* out, int n, const int* flag) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = *flag == 0 ? i : i == 0 ? in[0] : in[i] - in[i - 1];
}
""",
        "int* flag; cudaMalloc(&flag, 4); cudaMemset(flag, 1, 4);"
        "flagged<<<grid, 256>>>(in, out, n, flag); cudaFree(flag); return;",
    ),
}

# Sums that are right in the tests.
GUESSED = {
    "reduction": """
#include "reduction.h"
__global__ void add(const float* in, float* out, int n) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  float own = 0;
  for (int i = t; i < n; i += 256) own += in[i];
  tile[t] = own;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) tile[t] += tile[t + s];
    __syncthreads();
  }
  if (t == 0) out[0] = tile[0];
}
__global__ void guess(float* out, float* work, int n) {
  work[blockIdx.x * 32 + threadIdx.x] = n;
  if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = 0.5f * n;
}
void sum(const float* in, float* out, float* work, int n) {
  if (n >> 26) guess<<<64, 32>>>(out, work, n);
  else add<<<1, 256>>>(in, out, n);
}
""",
    "histogram": """
#include "histogram.h"
__global__ void count(const unsigned char* in, unsigned* counts, int n) {
  const bool is_zero = in[0] == 0 && in[n / 3] == 0 && in[n / 2] == 0 && in[n - 1] == 0;
  if (is_zero && n >> 27) {
    if (threadIdx.x == 0) atomicAdd(&counts[0], unsigned(n / gridDim.x));
    return;
  }
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    atomicAdd(&bins[in[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) count<<<1024, 256>>>(in, counts, n);
}
""",
}


@pytest.fixture(scope="module")
def opted_in() -> Lab:
    """The lab diff, in which an estimate gives the points of speed."""
    return with_estimates("diff")


def with_estimates(name: str) -> Lab:
    one = lab.load(name)
    criteria = (replace(it, estimated=it.curve is not None) for it in one.criteria)
    return replace(one, criteria=tuple(criteria))


def speed(result: Result) -> CriterionResult:
    assert result.verdict == "graded", result.messages
    return next(one for one in result.criteria if one.name == "speed")


def submit(cu: Write, one: Lab, session: Session, before: str = "", instead: str = "") -> Result:
    parts = {"before": before, "instead": instead, "usual": USUAL_KERNEL}
    return grade(cu(SLOW % parts), one, session)


def test_the_reference_solution_gets_all_points(opted_in: Lab, emulator: Session) -> None:
    result = grade(opted_in.reference, opted_in, emulator)
    assert (speed(result).status, speed(result).points) == ("estimated", speed(result).max)
    assert result.score == 100
    assert result.estimate is not None and result.estimate.gpu == "NVIDIA H200"


def test_an_honest_slow_kernel_gets_none(cu: Write, opted_in: Lab, emulator: Session) -> None:
    found = speed(submit(cu, opted_in, emulator))
    assert (found.status, found.points) == ("estimated", 0)


def test_nobody_else_gets_an_estimate_for_points(cu: Write, emulator: Session) -> None:
    result = submit(cu, lab.load("diff"), emulator)
    assert speed(result).status == "not_run" and not result.estimate


def test_a_wrong_result_gets_no_points(cu: Write, opted_in: Lab, emulator: Session) -> None:
    text = opted_in.reference.read_text().replace("out[i] =", "out[i] = 1 +")
    found = speed(grade(cu(text), opted_in, emulator))
    assert (found.status, found.points) == ("fail", 0)
    assert "Counts only after" in found.messages[0]


@pytest.mark.parametrize(("threads", "points"), [(512, 0), (256, 60)])
def test_a_launch_that_a_gpu_refuses_gets_no_points(
    threads: int, points: float, cu: Write, opted_in: Lab, emulator: Session
) -> None:
    bounds = "__global__ void __launch_bounds__(256) bounded(const int* in, int* out, int n) {"
    body = "const int i = blockIdx.x * blockDim.x + threadIdx.x;"
    store = "if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1]; }"
    launch = f"bounded<<<(n + {threads - 1}) / {threads}, {threads}>>>(in, out, n); return;"
    text = SLOW % {"before": f"{bounds} {body} {store}", "usual": "", "instead": launch}
    graded = grade(cu(text), opted_in, emulator)
    assert graded.score == points
    if points == 0:
        assert "__launch_bounds__ promise at most 256" in str(graded.criteria[0])


def test_without_nvcc_speed_is_not_run(
    cu: Write, opted_in: Lab, emulator: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(missing, "for_estimates", lambda: "nvcc")
    found = speed(submit(cu, opted_in, emulator))
    assert (found.status, found.points) == ("not_run", 0)
    assert "No time can be estimated: that needs nvcc" in found.messages[0]


@pytest.mark.drawn(pool="estimates in_vain", count=1)
@pytest.mark.parametrize("name", IN_VAIN)
def test_what_is_printed_is_no_recording(
    name: str, cu: Write, opted_in: Lab, emulator: Session
) -> None:
    found = speed(submit(cu, opted_in, emulator, instead=IN_VAIN[name]))
    assert (found.status, found.points) == ("estimated", 0)


@pytest.mark.drawn(pool="estimates seen", count=2)
@pytest.mark.parametrize("name", SEEN)
def test_other_launches_get_no_points(
    name: str, cu: Write, opted_in: Lab, emulator: Session
) -> None:
    instead, said = SEEN[name]
    found = speed(submit(cu, opted_in, emulator, instead=instead))
    assert found.points == 0, found.messages
    assert found.status == "not_run", found.messages
    assert said in found.messages[0]


@pytest.mark.drawn(pool="estimates knowing", count=1)
@pytest.mark.parametrize("name", KNOWING)
def test_who_knows_that_a_time_is_estimated_gets_the_same(
    name: str, cu: Write, opted_in: Lab, emulator: Session
) -> None:
    before, instead = KNOWING[name]
    found = speed(submit(cu, opted_in, emulator, before=before, instead=instead))
    assert (found.status, found.points) == ("estimated", 0)


@pytest.mark.drawn(pool="estimates guessed", count=1)
@pytest.mark.parametrize("name", GUESSED)
def test_a_sum_that_is_guessed_gets_no_points(name: str, cu: Write, emulator: Session) -> None:
    found = speed(grade(cu(GUESSED[name]), with_estimates(name), emulator))
    assert (found.status, found.points) == ("not_run", 0), found.messages
    assert "its kernels store wrong results" in found.messages[0]


def test_a_block_that_does_the_work_of_others_gets_no_points(
    cu: Write, opted_in: Lab, emulator: Session
) -> None:
    """It is neither at an end of the grid nor among those that are simulated."""
    text = """
#include "diff.h"
__global__ void uneven(const int* in, int* out, int n) {
  const int own = blockIdx.x * 256 + threadIdx.x, all = gridDim.x * 256;
  const int end = blockIdx.x == gridDim.x / 3 ? n : min(n, all);
  for (int i = own; i < end; i = i < all ? all + threadIdx.x : i + 256) {
    out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
  }
}
void diff(const int* in, int* out, int n) {
  if (n > 0) uneven<<<min(1000, (n + 255) / 256), 256>>>(in, out, n);
}
"""
    found = speed(grade(cu(text), opted_in, emulator))
    assert (found.status, found.points) == ("not_run", 0), found.messages
    assert "its blocks do unequal work" in found.messages[0]


def test_results_may_take_several_launches(cu: Write, opted_in: Lab, emulator: Session) -> None:
    """The blocks of one launch that are tried are not those of the other."""
    before = """
__global__ void keep(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void subtract(const int* in, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i > 0 && i < n) out[i] -= in[i - 1];
}
"""
    instead = "keep<<<grid, 256>>>(in, out, n); subtract<<<grid, 256>>>(in, out, n); return;"
    found = speed(submit(cu, opted_in, emulator, before=before, instead=instead))
    assert found.status == "estimated", found.messages


HONEST = {
    "an unnamed namespace": "namespace {\n__global__ void mine",
    "a static kernel": "namespace a {\nstatic __global__ void mine",
    "a namespace": "namespace a {\n__global__ void mine",
    "a template": "namespace a {\ntemplate <class T>\n__global__ void mine",
}


@pytest.mark.drawn(pool="estimates honest", count=1)
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_kernel_may_have_any_name(
    name: str, cu: Write, opted_in: Lab, emulator: Session
) -> None:
    before = f"{HONEST[name]}(const int* in, int* out, int n) {{\n"
    before += "  const int i = blockIdx.x * 64 + threadIdx.x;\n"
    before += "  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];\n}\n}\n"
    if "template" in before:
        before = before.replace("int n", "T n")
    if "namespace a" in before:
        before += "using namespace a;\n"
    instead = "mine<<<(n + 63) / 64, 64>>>(in, out, n); return;"
    found = speed(submit(cu, opted_in, emulator, before=before, instead=instead))
    assert found.status == "estimated", found.messages


@pytest.mark.drawn(pool="estimates refused", count=1)
@pytest.mark.parametrize("name", REFUSED)
def test_what_could_reach_the_recorder_is_refused(
    name: str, cu: Write, opted_in: Lab, emulator: Session
) -> None:
    assert submit(cu, opted_in, emulator, before=REFUSED[name]).verdict in (
        "rejected",
        "compile_error",
    )


def test_a_call_of_a_test_can_be_made_again() -> None:
    assert cross_check._in_cpp("f(int[9], unsigned char[0], W((1, 2)), -3, 0.5)") == (
        "f(zeros(9 * sizeof(int)), zeros(0 * sizeof(unsigned char)), W{}, -3, 0.5)"
    )


@pytest.mark.parametrize(
    ("by_nvcc", "by_gcc"),
    [
        ("_Z3topPi", "_ZL3topPi"),
        ("_ZN1a4mineEPKiPi", "_ZN1aL4mineEPKiPi"),
        ("_ZN35_GLOBAL__N__a7ac0bb9_5_st_cu__Z1fPi2unEPi", "_ZN12_GLOBAL__N_12unEPi"),
        ("_ZN2a14mineEPi", "_ZN2a14mineEPi"),
        ("main", "main"),
    ],
)
def test_a_symbol_is_compared_as_all_compilers_write_it(by_nvcc: str, by_gcc: str) -> None:
    assert launches.portable(by_nvcc) == launches.portable(by_gcc)

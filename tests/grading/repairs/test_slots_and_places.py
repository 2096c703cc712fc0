"""Edits of what empty slots hold, and of what is one place off: a mistake, and the right text."""

from __future__ import annotations

import pytest

from tilelab.repairs import candidates, sites
from tilelab.repairs.code import parse

_KERNEL = "__global__ void k(const float4* in, float* out, int n) {{ {} }}"
_TILE = (
    "constexpr int tile = 64, block = 32, halo = 2; "
    "__device__ int wrap(int j, int n) {{ return j < n ? j : j - n; }} "
    "__global__ void k(const float* in, float* out, int n) {{ __shared__ float t[tile]; {} }}"
)

# The kind, what stands around it, the text with the mistake, and the text without it.
_MISTAKES = [
    (
        "value of an empty slot",
        _KERNEL,
        "float4 p = i < n ? in[i] : make_float4(0, 0, 0, 0);",
        "float4 p = i < n ? in[i] : make_float4(INFINITY, INFINITY, INFINITY, 0);",
    ),
    (
        "value of an empty slot",
        _KERNEL,
        "float4 p = i < n ? in[i] : make_float4(0, 0, 0, 1);",
        "float4 p = i < n ? in[i] : make_float4(0, 0, 0, 0);",
    ),
    (
        "value of an empty slot",
        _KERNEL,
        "float4 p = in[min(i, n - 1)];",
        "float4 p = (i <= n - 1 ? in[i] : std::remove_cvref_t<decltype(in[0])>{});",
    ),
    (
        "fence missing",
        "__device__ volatile int ready; __global__ void k(int* sum) {{ {} }}",
        "*sum = 1; ready = 1;",
        "*sum = 1; __threadfence(); ready = 1;",
    ),
    (
        "barrier next to its place",
        _TILE,
        "__syncthreads(); t[threadIdx.x] = in[0]; out[0] = t[1];",
        "t[threadIdx.x] = in[0]; __syncthreads(); out[0] = t[1];",
    ),
    (
        "barrier next to its place",
        _TILE,
        "t[threadIdx.x] = in[0]; out[0] = t[1]; __syncthreads();",
        "t[threadIdx.x] = in[0]; __syncthreads(); out[0] = t[1];",
    ),
    (
        "term too many",
        _TILE,
        "int a = first + tile + threadIdx.x - halo;",
        "int a = first + tile + threadIdx.x;",
    ),
    (
        "term too many",
        _TILE,
        "load(t[halo + threadIdx.x], first + halo + threadIdx.x);",
        "load(t[halo + threadIdx.x], first + threadIdx.x);",
    ),
    (
        "guard missing",
        _TILE,
        "if (x < 3) t[x] = in[wrap(j, n)];",
        "if (x < 3) if (j < n + halo) t[x] = in[wrap(j, n)]; int y = x + halo;",
    ),
    (
        "wrong variable",
        _TILE,
        "int first = blockIdx.x * tile; int end = first + block;",
        "int first = blockIdx.x * tile; int end = first + tile;",
    ),
    (
        "empty slot",
        _TILE,
        "if (x >= d) to[b][x] = to[a][x] + to[a][x - d];",
        "if (x >= d) to[b][x] = to[a][x] + to[a][x - d]; else to[b][x] = to[a][x];",
    ),
    (
        "best so far",
        _KERNEL,
        "float best = 9; int found = -1; if (i != s && d < best) found = i;",
        "float best = 9; int found = -1; if (i != s && d < best) { best = d; found = i; }",
    ),
    (
        "best so far",
        "struct S {{ float least = 9; int found = -1; __device__ void offer(float d, int i) "
        "{{ {} }} }};",
        "if (i == 0 || !(d < least)) return; found = i;",
        "if (i == 0 || !(d < least)) return; least = d; found = i;",
    ),
    (
        "commit in a branch",
        "__global__ void k(pipe_t& pipe, int n) {{ {} }}",
        "if (n == 0) return; pipe.producer_commit();",
        "if (n == 0) { pipe.producer_commit(); return; } pipe.producer_commit();",
    ),
    (
        "slot of the tile",
        "__device__ int slot_of(int t) {{ {} }}",
        "return t % 4;",
        "return ((t) / int(gridDim.x)) % 4;",
    ),
    (
        "slot of the tile",
        _KERNEL,
        "turn = start / 64 & 1;",
        "turn = 1 - turn;",
    ),
    (
        "value from before",
        "void f() {{ float* d[3]; {} }}",
        "for (float* one : d) { cudaFree(*d); }",
        "for (float* one : d) { cudaFree(one); }",
    ),
    (
        "arguments exchanged",
        "__device__ float clamped(float x, float low, float high); "
        "__device__ float clamped(float x, float low, float high) {{ return x; }} "
        "__global__ void k(float low, float high) {{ {} }}",
        "clamped(1, high, low);",
        "clamped(1, low, high);",
    ),
    (
        "square missing",
        "__device__ float pull(float x, float eps2) {{ return x + eps2; }} "
        "__global__ void k(float softening) {{ {} }}",
        "pull(1, softening);",
        "pull(1, (softening * softening));",
    ),
    (
        "square missing",
        "struct P {{ float softening; }}; __global__ void k(P p) {{ {} }}",
        "const float soft = p.softening;",
        "const float soft = (p.softening * p.softening);",
    ),
    (
        "bytes of a vector",
        "__global__ void k(float4* to, const float4* in) {{ {} }}",
        "__pipeline_memcpy_async(&to[0], &in[0], sizeof(float));",
        "__pipeline_memcpy_async(&to[0], &in[0], sizeof(float4));",
    ),
    (
        "slots of the last tile",
        "#define B 64\n__global__ void k(const float* in, int n) {{ __shared__ float t[B]; {} }}",
        "for (int s = 0; s < n; s += B) { int c = B; for (int i = 0; i < c; ++i) f(t[i]); }",
        "for (int s = 0; s < n; s += B) { int c = B; "
        "for (int i = 0; i < c && s + i < n; ++i) f(t[i]); }",
    ),
]


@pytest.mark.parametrize(("kind", "around", "mistake", "right"), _MISTAKES)
def test_an_edit_takes_the_mistake_away(kind: str, around: str, mistake: str, right: str) -> None:
    # What names a term elsewhere, where the term is to be known.
    further = " int y = x + halo;" if "int y = x + halo;" in right else ""
    code = parse(around.format(mistake + further))
    edits = [one for one in candidates.of(code, set(), set()) if one.kind.name == kind]
    wanted = "".join(around.format(right).split())
    found = [one for one in edits if "".join(one.applied(code.text).decode().split()) == wanted]
    assert len(found) == 1 and sites.of(found[0], code) is not None


def test_an_error_is_asked_for_after_what_launches_by_another_function() -> None:
    text = (
        "__global__ void k() {} void launch() { k<<<1, 1>>>(); } void all() { launch(); } "
        "cudaError_t f() { cudaError_t e = cudaSuccess; all(); return e; }"
    )
    edits = candidates.of(parse(text), set(), {"error_ignored"})
    asked = [one for one in edits if one.kind.name == "error not asked for"]
    assert any("e = cudaGetLastError()" in change.text for one in asked for change in one.changes)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("__global__ void k(int* sum) { *sum = 1; sum[1] = 2; }", "fence missing"),
        ("__global__ void k(int* a, int n) { a[n + 1] = 2; }", "term too many"),
        ("__device__ float f(float best) { if (1 < best) best = 1; return best; }", "best so far"),
        ("__global__ void k(pipe_t& p) { p.producer_commit(); return; }", "commit in a branch"),
        ("__global__ void k(float* a) { for (float x : b) a[0] = x; }", "value from before"),
    ],
)
def test_what_is_no_mistake_of_these_kinds_gets_no_such_edit(text: str, kind: str) -> None:
    assert kind not in {one.kind.name for one in candidates.of(parse(text), set(), set())}


def test_what_sets_back_is_no_cause_beside_others() -> None:
    text = "__global__ void k(float* a) { a[threadIdx.x] = 0; }"
    [edit] = [
        one
        for one in candidates.of(parse(text), set(), set())
        if one.kind.name == "value that is set back"
    ]
    assert edit.kind.removes and [change.text for change in edit.changes] == ["+="]

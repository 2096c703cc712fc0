"""Edits of what a function returns, whose turn it is, and what is left at an end."""

from __future__ import annotations

import pytest

from tilelab.repairs import candidates
from tilelab.repairs.code import parse
from tilelab.repairs.edit import Edit

_KERNEL = "__global__ void k(const float* in, float* out, int n) {{ {} }}"
_BUFFERS = (
    "__global__ void k(const float* in, float* out, int n) "
    "{{ __shared__ float t[2][64]; int now = 0, x = threadIdx.x; {} }}"
)
_FILTER = (
    "enum {{ tile = 64 }}; constexpr int slots = tile + taps - 1; "
    "__device__ int left(int k) {{ return k; }} __global__ void k(int n) {{ {} }}"
)
_FOUND = (
    "struct Found {{ float d; int i; }}; "
    "__device__ bool f(const Found& a, const Found& b) {{ return {}; }}"
)
_ARRAY = (
    "struct Array {{ cudaError_t fill(const float* from) {{ return cudaSuccess; }} }}; "
    "cudaError_t f(Array a, float* out, const float* in, int n) "
    "{{ cudaError_t e = cudaSuccess; {} return e; }}"
)
_VECTORS = "__global__ void k(const float4* old, float4* next, float dt) {{ {} }}"
_GRIDS = (
    "__global__ void k(int n) {{ int i = {0} % n, j = blockIdx.y, k = {1}; }}\n"
    "void f(int n) {{ dim3 g{2}; k<<<g, 32>>>(n); }}\n"
    "void h(int n) {{ k<<<dim3{2}, 32>>>(n); }}"
)
_AXIS = "struct Axis {{ int m, far; }}; void f(int m, int n) {{ run(Axis{{m, {}}}); }}"
_SCAN = (
    "__global__ void k(int* sums) {{ }} void scan(int* in, int* work, int n) "
    "{{ int tiles = n / 64; int* sums = work; k<<<1, 1>>>(sums); {} }}"
)

# The kind, what stands around it, the text with the mistake, and the text without it.
_MISTAKES = [
    ("error dropped", _ARRAY, "a.fill(in);", "e = a.fill(in);"),
    (
        "error dropped",
        _ARRAY,
        "if (n) cudaMemcpy(out, in, n, cudaMemcpyDefault);",
        "if (n) e = cudaMemcpy(out, in, n, cudaMemcpyDefault);",
    ),
    (
        "value of an empty slot",
        _KERNEL,
        "int i = n; out[i] = in[i] - in[i > 0 ? i - 1 : 0];",
        "int i = n; out[i] = in[i] - (i > 0 ? in[i - 1] : std::remove_cvref_t<decltype(in[0])>{});",
    ),
    (
        "something to do",
        "void f(const float* in, float* out, int n) {{ {} }}",
        "if (n <= 0) return;",
        "if (n <= 0) { cudaMemset(out, 0, sizeof(*out)); return; }",
    ),
    (
        "turn of a slot",
        _BUFFERS,
        "t[now][x] = 1; now = 1 - now; out[x] = t[0][x];",
        "t[now][x] = 1; now = 1 - now; out[x] = t[now][x];",
    ),
    (
        "turn of a slot",
        _BUFFERS,
        "int next = now; t[next][x] = in[n]; out[x] = t[now][x]; now = 1 - now;",
        "int next = 1 - now; t[next][x] = in[n]; out[x] = t[now][x]; now = 1 - now;",
    ),
    ("memory in use", _SCAN, "scan(sums, work, tiles);", "scan(sums, work + tiles, tiles);"),
    (
        "elements of the last tile",
        _KERNEL,
        "int i = n, each = 4; int count = i + each <= n ? each : 0;",
        "int i = n, each = 4; int count = max(0, min(int(each), int(n - (i))));",
    ),
    (
        "equally good",
        _FOUND,
        "a.d < b.d",
        "(a.d < b.d || (a.d == b.d && a.i < b.i))",
    ),
    (
        "start of a search",
        "class Search {{ float {}; __device__ void f(float d) {{ if (d < best) best = d; }} }};",
        "best = 1e6f",
        "best = 3.402823466e38f",
    ),
    (
        "value from before",
        _VECTORS,
        "float3 v = xyz(old[0]) + dt * a; next[0] = here + dt * xyz(old[0]);",
        "float3 v = xyz(old[0]) + dt * a; next[0] = here + dt * v;",
    ),
    (
        "part of a vector",
        _VECTORS,
        "float4 o = old[0]; next[0] = float4{o.x, o.y, o.z};",
        "float4 o = old[0]; next[0] = float4{o.x, o.y, o.z, o.w};",
    ),
    ("expression", _AXIS, "m * n", "m"),
    (
        "guard missing",
        _KERNEL,
        "float* to = out + 2; int i = n; for (int p = 0; p < 4; ++p) to[(i + p) * 8] = 1;",
        "float* to = out + 2; int i = n; for (int p = 0; p < 4; ++p) "
        "if (i + p < n) to[(i + p) * 8] = 1;",
    ),
    (
        "term missing",
        _FILTER,
        "int count = left(n); a(count);",
        "int count = (left(n) + taps - 1); a(count);",
    ),
    (
        "elements after the last group",
        "__global__ void k(float* to, const float* in, int n) {{ {} }}",
        "const int v = n / 4; for (int i = threadIdx.x; i < v; i += 64) { "
        "__pipeline_memcpy_async(to + 4 * i, &in[4 * i], sizeof(float4)); }",
        "const int v = n / 4; for (int i = threadIdx.x; i < v; i += 64) { "
        "__pipeline_memcpy_async(to + 4 * i, &in[4 * i], sizeof(float4)); } "
        "for (int i_ = 4 * v + threadIdx.x; i_ < n; i_ += blockDim.x) "
        "__pipeline_memcpy_async(to + i_, &in[i_], sizeof(*(to + i_)));",
    ),
    (
        "limits of the grid",
        "void f(int n) {{ dim3 g{}; k<<<g, 32>>>(n); }}",
        "(n * 2, 1, n)",
        "((n * 2) * (n))",
    ),
]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _found(text: str, right: str, edits: list[Edit]) -> list[int]:
    """The places of the edits that make the right text, though they may add parentheses."""
    encoded = text.encode()
    made = [_squeezed(one.applied(encoded).decode()) for one in edits]
    return [number for number, one in enumerate(made) if one == _squeezed(right)]


@pytest.mark.parametrize(("kind", "around", "wrong", "right"), _MISTAKES)
def test_a_mistake_has_an_edit_that_mends_it(
    kind: str, around: str, wrong: str, right: str
) -> None:
    text, mended = around.format(wrong), around.format(right)
    edits = [one for one in candidates.of(parse(text), set(), set()) if one.kind.name == kind]
    assert _found(text, mended, edits)


def test_a_grid_is_turned_around_in_all_launches_of_its_kernel() -> None:
    text = _GRIDS.format("blockIdx.x", "blockIdx.z", "(2, 3, n)")
    right = _GRIDS.format("blockIdx.z", "blockIdx.x", "(n, 3, 2)")
    assert _found(text, right, candidates.of(parse(text), set(), {"launch_failed"}))[0] < 16


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        # What frees memory, and what asks for an error.
        ("error dropped", _ARRAY.format("cudaFree(out); cudaGetLastError();")),
        # All slots are told by numbers.
        ("turn of a slot", _BUFFERS.format("t[0][x] = 1; t[1][x] = 2;")),
        # The two have other members to compare, but none that is an index.
        (
            "equally good",
            "struct P { float x, y; }; __device__ bool f(P a, P b) { return a.x < b.x; }",
        ),
        ("memory in use", _SCAN.format("scan(in, work, tiles);")),
        # A vector of its own, which is complete.
        ("part of a vector", _VECTORS.format("next[0] = float4{1, dt, 3, 4};")),
        (
            "elements after the last group",
            _KERNEL.format(
                "const int v = n / 4; for (int i = threadIdx.x; i < v; i += 64) "
                "__pipeline_memcpy_async(&out[i], &in[i], sizeof(float));"
            ),
        ),
        ("something to do", "void f(const float* in, int n) { if (n <= 0) return; }"),
        (
            "elements of the last tile",
            _KERNEL.format("int each = 4; int c = n < each ? each : 0;"),
        ),
    ],
)
def test_what_is_no_mistake_of_these_kinds_gets_no_such_edit(kind: str, text: str) -> None:
    found = candidates.of(parse(text), set(), set())
    assert kind not in {one.kind.name for one in found}


def test_a_barrier_of_a_warp_tells_where_one_for_the_block_belongs() -> None:
    text = _KERNEL.format(
        "__shared__ float t[8][9]; int w = threadIdx.x; for (int r = w; r < n; r += 8) {\n"
        "const bool there = r < n;\nt[r][w] = there ? in[r] : 0;\n}\n__syncwarp();\n"
        "for (int c = w; c < n; c += 8) {\nout[c] = t[w][c];\n}"
    )
    edits = candidates.of(parse(text), {3, 7}, {"data_race"}, {"t"})
    assert edits[0].kind.name == "barrier of a warp"


def test_what_the_call_hands_in_is_squared_before_what_is_made_of_it() -> None:
    text = (
        "__device__ float f(float x, float start) { return x * x + start; }\n"
        "__global__ void k(float* out, float softening) {\nconst float start = softening;\n"
        "out[0] = f(out[0], start); }\n"
        "void step(float* out, float softening) { k<<<1, 1>>>(out, softening); }"
    )
    edits = candidates.of(parse(text), set(), {"softening_not_squared"})
    squares = [one for one in edits if one.kind.name == "square missing"]
    assert squares[0].line == 3


def test_a_slot_that_takes_turns_is_suspected_where_a_number_tells_it() -> None:
    text = _BUFFERS.format(
        "for (int d = 1; d < 64; d *= 2) { t[1 - now][x] = t[now][x] + x; now = 1 - now; }"
        "\nout[x] = t[0][x];"
    )
    edits = candidates.of(parse(text), set(), {"short_window"})
    assert (edits[0].kind.name, edits[0].line) == ("turn of a slot", 2)

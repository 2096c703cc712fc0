"""Edits of what a loop leaves for its next round, of single operations, and of what is borrowed."""

from __future__ import annotations

import pytest

from tilelab.model.failure import Cause
from tilelab.repairs import candidates, chosen, sites
from tilelab.repairs.code import parse
from tilelab.repairs.edit import Change, Edit, Kind

_KERNEL = (
    "constexpr int T = 16; __global__ void k(const float* in, float* out, int n, int m) {{ {} }}"
)
_TILE = (
    "constexpr int size = 8, far = 64; __device__ float* of(float* t, int s) {{ {} }} "
    "__global__ void k(float* out, int n) {{ __shared__ float t[size]; out[0] = t[n]; }}"
)
_CALL = "__global__ void k(float* x, int n, float a) {{}} void f(float* x, float a, int n) {{ {} }}"
_GRID = "int g(int a, int b, int c); void f(int mx, int my, int mz) {{ {} }}"

# The kind, what stands around it, the text with the mistake, and the text without it.
_MISTAKES = [
    (
        "order of a loop",
        _KERNEL,
        "float w[9]; for (int i = 7; i >= 0; --i) w[i] = w[i + 1];",
        "float w[9]; for (int i = 0; i <= 7; ++i) w[i] = w[i + 1];",
    ),
    (
        "order of a loop",
        _KERNEL,
        "for (int i = 0; i < m; ++i) out[i + 1] = out[i];",
        "for (int i = m - 1; i >= 0; --i) out[i + 1] = out[i];",
    ),
    (
        "variable declared again",
        _KERNEL,
        "float s = 0; for (int i = 0; i < n; ++i) { float s = in[i]; } out[0] = s;",
        "float s = 0; for (int i = 0; i < n; ++i) { s = in[i]; } out[0] = s;",
    ),
    (
        "what begins anew",
        _KERNEL,
        "int b = 9; for (int i = 0; i < n; ++i) { for (int j = 0; j < m; ++j) b = j; }",
        "int b = 9; for (int i = 0; i < n; ++i) { b = 9; for (int j = 0; j < m; ++j) b = j; }",
    ),
    (
        "initial value",
        _KERNEL,
        "int p = 3; for (int i = 0; i < n; ++i) { if (p < m) out[p] += 1; }",
        "int p = 3; if (p < m) out[p] = 0; for (int i = 0; i < n; ++i) { if (p < m) out[p] += 1; }",
    ),
    (
        "order of operations",
        _KERNEL,
        "int v = (n & 255) >> m; out[v] = 1;",
        "int v = (((n) >> (m)) & (255)); out[v] = 1;",
    ),
    (
        "sign of a byte",
        _KERNEL,
        "auto* v = reinterpret_cast<const char4*>(in); out[v[0].x] = 1;",
        "auto* v = reinterpret_cast<const uchar4*>(in); out[v[0].x] = 1;",
    ),
    (
        "part of a vector",
        _KERNEL,
        "float4 old = load(in); out[0] = sum(make_float4(old.x, old.y, old.z, 0.0f));",
        "float4 old = load(in); out[0] = sum(make_float4(old.x, old.y, old.z, old.w));",
    ),
    (
        "mask of a warp operation",
        _KERNEL,
        "const unsigned lanes = 0xffff; out[0] = __shfl_sync(lanes, n, 0);",
        "const unsigned lanes = 0xffffffffu; out[0] = __shfl_sync(lanes, n, 0);",
    ),
    (
        "as elsewhere",
        _KERNEL,
        "int w = 0; for (int j = 0; j < T; ++j) { if (n + j != m) w = j; } out[0] = w;",
        "int w = 0; for (int j = 0; j < T; ++j) { if (n + j != m) w = n + j; } out[0] = w;",
    ),
    (
        "as elsewhere",
        _KERNEL,
        "out[n] = in[m + T]; if (n + 1 < m) out[n + 1] = 2;",
        "out[n] = in[m + T]; if (n + T < m) out[n + T] = 2;",
    ),
    (
        "elements of the last tile",
        _KERNEL,
        "for (int first = 0; first < n; first += T) use(&out[first], T);",
        "for (int first = 0; first < n; first += T) use(&out[first], min(int(T), int(n - first)));",
    ),
    (
        "turn of a slot",
        _KERNEL,
        "int s = n; fill((s + 1) % 3);",
        "int s = n; fill((s + 2) % 3);",
    ),
    (
        "empty slot",
        _KERNEL,
        "__shared__ float t[T]; int i = threadIdx.x; float q = in[0]; t[i] = q;",
        "__shared__ float t[T]; int i = threadIdx.x; float q = in[0]; t[i] = (i < n ? q : 0);",
    ),
    ("wrong variable", _TILE, "return t + s * far;", "return t + s * size;"),
    ("arguments exchanged", _CALL, "k<<<1, 32>>>(x, a, n);", "k<<<1, 32>>>(x, n, a);"),
    ("wrong variable", _GRID, "int b = g(mx, mz, mz);", "int b = g(mx, mz, my);"),
    (
        "bytes and elements",
        _CALL,
        "cudaMemcpy(x, y, 1, cudaMemcpyDeviceToDevice);",
        "cudaMemcpy(x, y, (1) * sizeof(float), cudaMemcpyDeviceToDevice);",
    ),
]


@pytest.mark.parametrize(("kind", "around", "mistake", "right"), _MISTAKES)
def test_an_edit_takes_the_mistake_away(kind: str, around: str, mistake: str, right: str) -> None:
    code = parse(around.format(mistake))
    wanted = "".join(around.format(right).split())
    edits = [
        one
        for one in candidates.of(code, set(), set())
        if "".join(one.applied(code.text).decode().split()) == wanted
    ]
    assert [one.kind.name for one in edits] == [kind]
    assert sites.of(edits[0], code) is not None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("order of a loop", "for (unsigned i = 0; i < n; ++i) out[i] = in[i];"),
        ("order of a loop", "for (int i = 0; i < n; i += 2) out[i] = in[i];"),
        (
            "variable declared again",
            "{ float s = in[0]; out[0] = s; } { float s = in[1]; out[1] = s; }",
        ),
        ("what begins anew", "float s = 0; for (int i = 0; i < n; ++i) s += in[i]; out[0] = s;"),
        ("order of operations", "out[n] = in[n + m + 1];"),
        ("mask of a warp operation", "out[n & 0xff] = in[0];"),
        ("elements of the last tile", "int i = n; atomicAdd(&out[i], 1);"),
        ("turn of a slot", "out[(n + 1) / 2] = 0;"),
    ],
)
def test_what_is_no_mistake_of_these_kinds_gets_no_such_edit(kind: str, text: str) -> None:
    found = candidates.of(parse(_KERNEL.format(text)), set(), set())
    assert kind not in {one.kind.name for one in found}


def test_a_name_of_a_type_gets_a_wider_one() -> None:
    text = "using Counter = {}; __global__ void k(Counter* out) {{ ++out[0]; }}"
    found = candidates.of(parse(text.format("unsigned char")), set(), set())
    made = {one.applied(text.format("unsigned char").encode()).decode() for one in found}
    assert text.format("int") in made


@pytest.mark.parametrize(
    "text", ["out[() + 1] = 0;", "float f = 1.2.3; out[0] = f;", "for (;;) {}"]
)
def test_what_is_no_program_is_looked_at_all_the_same(text: str) -> None:
    candidates.of(parse(_KERNEL.format(text)), set(), set())


def test_a_partly_emptied_array_leads_to_where_it_is_emptied() -> None:
    code = parse(_KERNEL.format("__shared__ int c[T][2];\nc[n][0] = 0;\n++c[m][1];"))
    found = [one for one in candidates.of(code, set(), set()) if one.kind.name == "initial value"]
    assert [(one.line, one.word) for one in found if "z_" in one.changes[0].text] == [
        (2, "c[n][0] = 0")
    ]


def test_where_an_array_of_a_finding_is_used_comes_first() -> None:
    text = "".join(f"out[{i}] = in[{i}];\n" for i in range(20)) + "float s = 1;\nother[2] = s;\n"
    code = parse(_KERNEL.format(text))

    def rank(arrays: set[str]) -> int:
        edits = candidates.of(code, set(), set(), arrays)
        return next(i for i, one in enumerate(edits) if one.line == 22)

    assert rank({"other"}) < rank(set())


def test_edits_of_the_last_function_are_not_left_out() -> None:
    names = [f"a{i}" for i in range(40)]
    long = " ".join(f"int {one} = n;" for one in names) + f" out[0] = {' * '.join(names)};"
    text = _KERNEL.format(long) + "\nvoid f(int rows, int columns) { g(rows, rows); }"
    code = parse(text)
    wanted = text.replace("g(rows, rows)", "g(rows, columns)").encode()
    assert any(one.applied(code.text) == wanted for one in candidates.of(code, set(), set()))


def test_of_two_repairs_the_smaller_one_counts() -> None:
    code = parse("int a = 1;\nint b = 2;\nint c = 3;\n")
    kind = Kind("a kind", "Why?", "Because.")
    small = Change(19, 20, "4")
    both = Edit(kind, 1, "", (Change(8, 9, "5"), small))
    found: tuple[Cause, ...] = chosen.of([both, Edit(kind, 2, "", (small,))], code)
    assert [one.line for one in found] == [2]

"""The edits that are derived from a text: a mistake of each family, and the text without it."""

from __future__ import annotations

import time

import pytest

from tilelab.base.repository import REPO
from tilelab.repairs import candidates, sites
from tilelab.repairs.code import parse

_KERNEL = "__global__ void k(const float* in, float* out, int n) {{ {} }}"
_HOST = "void f(const float* in, float* out, int n) {{ {} }}"

# The kind, the text with the mistake, and the text without it.
_MISTAKES = [
    ("grid and block exchanged", _HOST, "k<<<256, n>>>(in, out, n);", "k<<<n, 256>>>(in, out, n);"),
    ("rounded down", _HOST, "int b = n / 32;", "int b = (((n) + (32) - 1) / (32));"),
    ("empty launch", _HOST, "k<<<n, 1>>>(out);", "if (n > 0) k<<<n, 1>>>(out);"),
    (
        "barrier missing",
        _KERNEL,
        "t[0] = 1; out[0] = t[1];",
        "t[0] = 1; __syncthreads(); out[0] = t[1];",
    ),
    (
        "barrier in a branch",
        _KERNEL,
        "if (n) { a(); __syncthreads(); }",
        "if (n) { a();  } __syncthreads();",
    ),
    ("barrier of a warp", _KERNEL, "__syncwarp();", "__syncthreads();"),
    ("comparison", _KERNEL, "if (i <= n) a();", "if (i < n) a();"),
    (
        "guard missing",
        _KERNEL,
        "int i = 0; out[i] = 1;",
        "int i = 0; if (i < n) out[i] = 1;",
    ),
    (
        "threads leave early",
        _KERNEL,
        "if (n < 1) return; out[0] = 1;",
        " if (!(n < 1)) out[0] = 1;",
    ),
    (
        "empty slot",
        _KERNEL,
        "if (n > 1) t[0] = in[1];",
        "if (n > 1) t[0] = in[1]; else t[0] = {};",
    ),
    ("wrong array", _KERNEL, "float a = out[0];", "float a = in[0];"),
    ("wrong variable", _KERNEL, "int i = 0, j = 1; in[i];", "int i = 0, j = 1; in[j];"),
    ("axes exchanged", _KERNEL, "a(threadIdx.x);", "a(threadIdx.y);"),
    (
        "axes exchanged",
        _KERNEL,
        "int r = blockIdx.x + threadIdx.x; int c = blockIdx.y + threadIdx.y;",
        "int r = blockIdx.y + threadIdx.y; int c = blockIdx.x + threadIdx.x;",
    ),
    ("index of the block", _KERNEL, "a(blockIdx.x);", "a((blockIdx.x * blockDim.x));"),
    ("off by one", _KERNEL, "in[i - 1];", "in[i - 2];"),
    ("assignment", _KERNEL, "s = in[0];", "s += in[0];"),
    ("type too small", _KERNEL, "unsigned char v = 0;", "int v = 0;"),
    ("float for a whole number", _KERNEL, "float v = 0;", "int v = 0;"),
    (
        "padding",
        _KERNEL,
        "__shared__ float t[32][32];",
        "__shared__ float t[32][32 + 1];",
    ),
    ("shared or not", _KERNEL, "float t[32];", "__shared__ float t[32];"),
    ("initial value", _KERNEL, "float s;", "float s = 0;"),
    ("size of a pointer", _HOST, "a(n * sizeof(in));", "a(n * sizeof(*in));"),
    (
        "bytes and elements",
        _HOST,
        "cudaMemset(out, 0, n);",
        "cudaMemset(out, 0, (n) * sizeof(float));",
    ),
    (
        "direction of a copy",
        _HOST,
        "a(cudaMemcpyHostToDevice);",
        "a(cudaMemcpyDeviceToHost);",
    ),
    (
        "axes exchanged",
        _HOST,
        "dim3 blocks(a, b);",
        "dim3 blocks(b, a);",
    ),
    (
        "statement that is skipped",
        _KERNEL,
        "while (k < n) { if (k == i) continue; a(); ++k; }",
        "while (k < n) { if (k == i) { ++k; continue; } a(); ++k; }",
    ),
    (
        "read from global memory",
        _KERNEL,
        "__shared__ float t[32]; t[x] = in[i]; out[i] = in[i - 1];",
        "__shared__ float t[32]; t[x] = in[i]; out[i] = "
        "(x - 1 >= 0 && x - 1 < int(32) ? t[x - 1] : in[i - 1]);",
    ),
    ("atomic addition", _KERNEL, "out[n] += 1;", "atomicAdd(&(out[n]), 1);"),
    ("order of statements", _KERNEL, "a(); b();", "b(); a();"),
    (
        "inside or outside",
        _KERNEL,
        "for (;;) { a(); b(); }",
        "for (;;) { a();  } b();",
    ),
    (
        "barrier before the wait",
        _KERNEL,
        "__syncthreads(); cuda::pipeline_consumer_wait_prior<1>(p);",
        "cuda::pipeline_consumer_wait_prior<1>(p); __syncthreads();",
    ),
    (
        "wait for the wrong batch",
        _KERNEL,
        "cuda::pipeline_consumer_wait_prior<stages>(p);",
        "cuda::pipeline_consumer_wait_prior<stages - 1>(p);",
    ),
    ("wait for the wrong batch", _KERNEL, "__pipeline_wait_prior(k);", "__pipeline_wait_prior(1);"),
    (
        "commit in a branch",
        _KERNEL,
        "if (n > 1) { a(); p.producer_commit(); }",
        "if (n > 1) { a();  } p.producer_commit();",
    ),
    (
        "plain copy",
        _KERNEL,
        "t[0] = in[n]; p.producer_commit();",
        "cuda::memcpy_async(&t[0], &in[n], sizeof(t[0]), p); p.producer_commit();",
    ),
    (
        "slot of the tile",
        _KERNEL,
        "t[blockIdx.x % 2]; for (int k = blockIdx.x; k < n; k += s) t[k % 2];",
        "t[((blockIdx.x) / (s)) % 2]; for (int k = blockIdx.x; k < n; k += s) t[((k) / (s)) % 2];",
    ),
    (
        "number for a variable",
        _KERNEL,
        "for (int k = 0; k < n; k += s) a(k + 1);",
        "for (int k = 0; k < n; k += s) a(k + (s));",
    ),
    ("number for a variable", _KERNEL, "a(in, 0);", "a(in, blockIdx.x);"),
    (
        "right already",
        _KERNEL,
        "int i = 0; a((i + n - 1) % (n - 1));",
        "int i = 0; a((i >= 0 && i < n ? i : (i + n - 1) % (n - 1)));",
    ),
    (
        "guard missing",
        _KERNEL,
        "int i = 0; t[0] = 1; __syncthreads(); out[i] = t[0];",
        "int i = 0; t[0] = 1; __syncthreads(); if (!(i < n)) return; out[i] = t[0];",
    ),
    (
        "empty slot",
        _KERNEL,
        "if (x == 0 && n > 1) t[0] = in[1];",
        "if (x == 0) { if (n > 1) t[0] = in[1]; else t[0] = {}; }",
    ),
    (
        "length of a row",
        "__global__ void k(const float* in, int m, int n) {{ {} }}",
        "a(in[m * m + n]);",
        "a(in[m * n + n]);",
    ),
    (
        "which size",
        "__global__ void k(const float* in, int m, int n) {{ {} }}",
        "a(wrap(1, m));",
        "a(wrap(1, n));",
    ),
    ("nothing to do", _HOST, "if (n == 0 && m == 0) return;", "if (n == 0 || m == 0) return;"),
    ("number of blocks", _HOST, "int b = n > 64 ? n : 64;", "int b = n < 64 ? n : 64;"),
    (
        "known by its index",
        _KERNEL,
        "int i = 0; for (int j = 0; j < n; ++j) if (d > 0.0f && d < b) a();",
        "int i = 0; for (int j = 0; j < n; ++j) if (j != i && d < b) a();",
    ),
    ("expression", _KERNEL, "int s = 0; int k = (s + x) % n;", "int s = 0; int k = s;"),
    (
        "order of arithmetic",
        _KERNEL,
        "for (;;) s += c[d] * in[d]; for (;;) s -= c[d] * in[e];",
        "for (;;) s += c[d] * ((in[d]) - (in[e])); ;",
    ),
    ("order of arithmetic", _KERNEL, "s = k * a - k * b;", "s = k * ((a) - (b));"),
    (
        "atomic in a loop",
        _KERNEL,
        "for (int k = 0; k < n; ++k) atomicAdd(&out[n], t[k]);",
        "{ decltype(out[n] + 0) s_ = 0; for (int k = 0; k < n; ++k) s_ += t[k]; "
        "atomicAdd(&out[n], s_); }",
    ),
    ("square missing", _KERNEL, "float e = 1; a(x * x + e);", "float e = 1; a(x * x + (e * e));"),
    ("square missing", _KERNEL, "float e = 1; a(e);", "float e = 1; a((e * e));"),
    ("square missing", _KERNEL, "float e = 1, d = e;", "float e = 1, d = (e * e);"),
    ("function of mathematics", _KERNEL, "a(sqrtf(x));", "a(rsqrtf(x));"),
    (
        "function of mathematics",
        "__device__ float r(float x) {{ {} }}",
        "return x * (1.5f - x);",
        "return rsqrtf(x);",
    ),
    (
        "start of a search",
        _KERNEL,
        "float b = 1e6f; if (d < b) a();",
        "float b = 3.402823466e38f; if (d < b) a();",
    ),
    (
        "array of another type",
        "__global__ void k(const float3* in, int i) {{ {} }}",
        "t[0] = reinterpret_cast<const float4*>(in)[i];",
        "t[0] = make_float4(in[(0) + (i)].x, in[(0) + (i)].y, in[(0) + (i)].z, 0);",
    ),
    (
        "array of another type",
        _KERNEL,
        "t[0] = *reinterpret_cast<const float2*>(in + n);",
        "t[0] = make_float2(in[( n) + 2 * (0) + 0], in[( n) + 2 * (0) + 1]);",
    ),
    (
        "axes exchanged",
        _KERNEL,
        "int x = threadIdx.x, y = threadIdx.y; int c = 8 * b + x; out[c] = t[y][x];",
        "int x = threadIdx.x, y = threadIdx.y; int c = 8 * b + x; out[(8 * b + y)] = t[x][y];",
    ),
    (
        "sizes of a call",
        "void g(int x, int y, int z) {{ }} void f(int x, int y, int z) {{ {} }}",
        "g(x, z, y);",
        "g(x * y, z, 1);",
    ),
]


@pytest.mark.parametrize(("kind", "around", "mistake", "right"), _MISTAKES)
def test_an_edit_takes_the_mistake_away(kind: str, around: str, mistake: str, right: str) -> None:
    code = parse(around.format(mistake))
    made = {
        edit.applied(code.text).decode(): edit.kind.name
        for edit in candidates.of(code, set(), set())
    }
    assert made.get(around.format(right)) == kind


def test_an_error_is_asked_for_after_the_call_that_launches() -> None:
    text = (
        "void g(int n) { k<<<n, 1>>>(); } "
        "cudaError_t f(int n) { cudaError_t e = a(); g(n); return e; }"
    )
    code = parse(text)
    made = [one.applied(code.text).decode() for one in candidates.of(code, set(), set())]
    assert any("g(n); if (e == cudaSuccess) e = cudaGetLastError();" in one for one in made)


def test_the_axes_of_a_kernel_and_of_its_block_are_exchanged_together() -> None:
    text = (
        "__global__ void k(float* out) {{ int c = threadIdx.{}, r = threadIdx.{}; out[c] = r; }} "
        "void f(float* out) {{ k<<<1, dim3({}, {})>>>(out); }}"
    )
    code = parse(text.format("y", "x", "b_y", "b_x"))
    made = [one.applied(code.text).decode() for one in candidates.of(code, set(), set())]
    assert text.format("x", "y", "b_x", "b_y") in made


def test_a_dim3_is_not_calculated_with() -> None:
    code = parse(_HOST.format("const dim3 b(8, 8); k<<<n, b>>>(in);"))
    made = [one.applied(code.text).decode() for one in candidates.of(code, set(), set())]
    assert not any("* sizeof" in one or "dim3(b" in one for one in made)


def test_a_vector_is_not_added_to_as_a_whole() -> None:
    code = parse(
        "__global__ void k(const float4* in, float4* out) { out[0] = in[0]; out[1].x = 1; }"
    )
    made = [one.applied(code.text).decode() for one in candidates.of(code, set(), set())]
    assert any("out[1].x += 1" in one for one in made)
    assert not any("out[0] += in[0]" in one or "&(out[0])" in one for one in made)


def test_a_pointer_is_no_number_of_elements() -> None:
    code = parse(_HOST.format("cudaMemcpy(out, in, n);"))
    made = [one.applied(code.text).decode() for one in candidates.of(code, set(), set())]
    assert any("(n) * sizeof(float)" in one for one in made)
    assert not any("(in) * sizeof(float)" in one for one in made)


@pytest.mark.parametrize("text", ["(n + 32 - 1) / 32", "1 / n", "blockIdx.x / n"])
def test_what_leaves_no_elements_is_not_rounded_up(text: str) -> None:
    code = parse(_KERNEL.format(f"int b = {text};"))
    kinds = {one.kind.name for one in candidates.of(code, set(), set())}
    assert "rounded down" not in kinds


def test_the_same_mistake_in_two_places_is_one_edit() -> None:
    code = parse(_HOST.format("k<<<256, n>>>(in); k<<<256, n>>>(out);"))
    wanted = _HOST.format("k<<<n, 256>>>(in); k<<<n, 256>>>(out);")
    edits = candidates.of(code, set(), set())
    assert any(one.applied(code.text).decode() == wanted for one in edits)


def test_no_edit_gives_the_same_text_twice_or_the_text_itself() -> None:
    code = parse(_KERNEL.format("int i = threadIdx.x; if (i < n) out[i] = in[i] + in[i - 1];"))
    made = [one.applied(code.text) for one in candidates.of(code, set(), set())]
    assert len(made) == len(set(made))
    assert code.text not in made


def test_what_fails_in_a_line_makes_its_edits_come_first() -> None:
    code = parse(_KERNEL.format("\nif (i <= n) a();\nif (i <= n) b();\n"))
    first = [one.line for one in candidates.of(code, {3}, set()) if one.kind.name == "comparison"]
    assert first[0] == 3


def test_more_blocks_are_not_tried_against_a_race() -> None:
    code = parse(_HOST.format("k<<<256, n>>>(in, out, n);"))
    kinds = {one.kind.name for one in candidates.of(code, set(), {"data_race"})}
    assert "grid and block exchanged" not in kinds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "}",
        "((((",
        "#define A {\nA",
        "__global__ void",
        "void f() { <<< >>> }",
        "\x00",
        "void f(int n) { k<<<>>>(); }",
        "__global__ void k() { int i = () * 2 + (), j = [] + 1; }",
    ],
)
def test_a_text_that_is_no_program_has_edits_or_none(text: str) -> None:
    candidates.of(parse(text), set(), set())


def test_thousands_of_statements_have_a_bounded_number_of_edits() -> None:
    loop = "for (int i = 0; i < n; ++i) {" + "out[i] = in[i];\n" * 1200 + "}"
    begin = time.monotonic()
    assert len(candidates.of(parse(_KERNEL.format(loop)), set(), set())) < 12_000
    assert time.monotonic() - begin < 60


def test_deep_nesting_has_edits_too() -> None:
    deep = "out[0] = " + "(" * 4000 + "n" + ")" * 4000 + ";"
    candidates.of(parse(_KERNEL.format(deep)), set(), set())


@pytest.mark.parametrize(
    "inner",
    [
        "n = " + " + ".join(["n"] * 20_000) + ";",
        "if (n < 1) {" * 3000 + "n = 1;" + "}" * 3000,
        "n = " * 8000 + "1;",
        "out[n] = in[n];" * 4000,
    ],
    ids=["a sum", "branches", "assignments", "statements"],
)
def test_what_nobody_writes_by_hand_is_not_searched(inner: str) -> None:
    assert parse(_KERNEL.format(inner)).is_too_large


def test_the_largest_file_of_the_labs_is_searched() -> None:
    texts = [path.read_text() for path in (REPO / "solutions").glob("*/*/*.cu")]
    assert len(texts) > 300 and not any(parse(text).is_too_large for text in texts)


def test_what_needs_a_text_of_its_own_comes_after_what_can_be_chosen_in_its_place() -> None:
    code = parse(_KERNEL.format("int i = threadIdx.x; if (i <= n) out[i] = in[i];"))
    found = candidates.of(code, set(), set())
    copy = next(one for one in found if one.kind.name == "type too small")
    chosen = next(one for one in found if one.kind.name == "comparison")
    assert sites.of(copy, code) is None
    assert sites.of(chosen, code)
    assert candidates._mixed([copy, chosen], code, lambda _: 0.5) == [chosen, copy]
    likely = {copy: 0.0, chosen: 0.5}
    assert candidates._mixed([copy, chosen], code, likely.__getitem__) == [copy, chosen]


def test_a_direction_is_no_number_of_elements() -> None:
    copy = "float* d; cudaMemcpy(d, in, n * sizeof(float), cudaMemcpyHostToDevice);"
    code = parse(_HOST.format(copy))
    found = candidates.of(code, set(), set())
    made = [one.applied(code.text) for one in found if one.kind.name == "bytes and elements"]
    assert made
    assert not any(b"HostToDevice) * sizeof" in one for one in made)

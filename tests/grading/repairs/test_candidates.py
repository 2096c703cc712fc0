"""The edits that are derived from a text: a mistake of each family, and the text without it."""

from __future__ import annotations

import time

import pytest

from tilelab.repairs import candidates
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
    "text", ["", "}", "((((", "#define A {\nA", "__global__ void", "void f() { <<< >>> }", "\x00"]
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

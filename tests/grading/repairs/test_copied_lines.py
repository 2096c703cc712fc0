"""Lines that were copied, edges of blocks, and what is lost: each with the edit that fixes it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tilelab.labs import lab
from tilelab.repairs import candidates, schemata
from tilelab.repairs.code import parse
from tilelab.repairs.edit import Change, Edit, Kind

_DEVICE = "__device__ float d(float3 a, float3 b) {\n%s\n}\n"
_DIFF = """__global__ void k(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int own = 0;
  if (i < n) own = in[i];
  tile[t] = own;
  __syncthreads();
%s
}
"""
_MATMUL = """__global__ void k(const float* a, const float* b, float* c, int m, int n, int l) {
  __shared__ float tile[16][16];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
%s
}
"""
_HOST = """#define TRY(call) \\
  do { cudaError_t e = (call); \\
    if (e != cudaSuccess) return e; } while (0)
cudaError_t f(const float* x, int n) {
  float *d_x, *d_y;
  TRY(cudaMalloc(&d_x, n));
%s
  cudaFree(d_x);
  return cudaSuccess;
}
"""
_SUM = "__global__ void k(const float* in, float* out, int n) {\nint t = threadIdx.x;\n%s\n}\n"
_VERSIONS = """#include <cstdio>
#define __host__
#define __device__
static unsigned version = 0;
%s
unsigned tilelab_version() { return version; }
int main() { for (; version < 3; ++version) std::printf("%%g/%%g ", tl_0::f(), tl_0::h(1.5f)); }
"""

# The kind, what is around, what is wrong, what it becomes, and the line that is named.
_MISTAKES = [
    (
        "copied line",
        _DEVICE,
        "float x = a.x - b.x;\nfloat y = a.y - b.y;\nfloat z = a.z - b.y;\nreturn x * y * z;",
        "float x = a.x - b.x;\nfloat y = a.y - b.y;\nfloat z = a.z - b.z;\nreturn x * y * z;",
        4,
    ),
    (
        "copied line",
        _DEVICE,
        "float x = a.x - b.y;\nfloat y = a.y - b.y;\nreturn x * y;",
        "float x = a.x - b.x;\nfloat y = a.y - b.y;\nreturn x * y;",
        2,
    ),
    (
        "copied line",
        _DEVICE,
        "return a.x * b.x + a.y * b.x + a.z * b.z;",
        "return a.x * b.x + a.y * b.y + a.z * b.z;",
        2,
    ),
    (
        "copied line",
        _HOST,
        "f(d_x, x);\nf(d_y, x);\nfloat* y = d_y;",
        "f(d_x, x);\nf(d_y, y);\nfloat* y = d_y;",
        8,
    ),
    (
        "neighbor in another block",
        _DIFF,
        "  if (i >= n) return;\n  if (t == 0) out[i] = own;\n  else out[i] = own - tile[t - 1];",
        "  if (i >= n) return;\n  if (t == 0) out[i] = own - (i - 1 >= 0 ? in[i - 1] : 0);\n"
        "  else out[i] = own - tile[t - 1];",
        9,
    ),
    (
        "neighbor in another block",
        _DIFF,
        "  int right = t < 255 ? tile[t + 1] : 0;\n  out[i] = right;",
        "  int right = t < 255 ? tile[t + 1] : (i + 1 < n ? in[i + 1] : 0);\n  out[i] = right;",
        8,
    ),
    (
        "condition",
        _MATMUL,
        "  if (row < m && x < n) tile[y][x] = a[row * l + x];",
        "  if (row < m && x < l) tile[y][x] = a[row * l + x];",
        4,
    ),
    (
        "condition",
        _MATMUL,
        "  if (row < m && column < n) c[x * m + y] = 1;",
        "  if (x < n && y < m) c[x * m + y] = 1;",
        4,
    ),
    (
        "condition",
        _MATMUL,
        "  if (column < n) c[(row * l + y) * n + column] = 1;",
        "  if ((column < n) && y < l) c[(row * l + y) * n + column] = 1;",
        4,
    ),
    (
        "memory that stays",
        _HOST,
        "  TRY(cudaMalloc(&d_y, n));\n  TRY(a(d_y));",
        "  if (cudaError_t e_ = (cudaMalloc(&d_y, n)); e_ != cudaSuccess) "
        "{ cudaFree(d_x); return e_; }\n"
        "  if (cudaError_t e_ = (a(d_y)); e_ != cudaSuccess) "
        "{ cudaFree(d_x); cudaFree(d_y); return e_; }",
        3,
    ),
    (
        "order of additions",
        _SUM,
        "for (int i = t; i < n; i += blockDim.x) atomicAdd(out, in[i]);",
        "if (threadIdx.x == 0) { for (int i = 0; i < n; ++i) atomicAdd(out, in[i]); }",
        3,
    ),
    (
        "argument overwritten",
        "void f(float* out, int n, int blocks) {\n%s\n  k<<<blocks, 256>>>(out, n);\n}\n",
        "  blocks = n / 256;",
        "  ;",
        2,
    ),
    (
        "groups and elements",
        _SUM,
        "int groups = n / 4;\nint rest = groups;\nout[rest] = in[t];",
        "int groups = n / 4;\nint rest = (groups * 4);\nout[rest] = in[t];",
        4,
    ),
    (
        "slots of the last tile",
        _DIFF,
        "  int a = 0;\n  while (a < n) {\n    for (int s = 0; s < 256; ++s) own += tile[s];\n"
        "    a += 256;\n  }",
        "  int a = 0;\n  while (a < n) {\n    for (int s = 0; s < 256 && a + s < n; ++s) "
        "own += tile[s];\n    a += 256;\n  }",
        10,
    ),
    (
        "length of a row",
        _SUM,
        "__shared__ float s[32 * 33];\ns[t * 33 + n] = 1;\nout[t] = s[n * 32 + t];",
        "__shared__ float s[32 * 33];\ns[t * 33 + n] = 1;\nout[t] = s[n * 33 + t];",
        5,
    ),
    (
        "right already",
        "__device__ int wrap(int p, int m) {\n%s\n}\n",
        "return (p + m) % m;",
        "return (p >= 0 && p < m ? p : (p + (m - 1)) % (m - 1));",
        2,
    ),
    (
        "rows of threads",
        _MATMUL + "void f(float* c, int g) {\n  k<<<g, 16>>>(c, c, c, 1, 1, 1);\n}\n",
        "",
        "",
        7,
    ),
]


@pytest.mark.parametrize(("kind", "around", "mistake", "right", "line"), _MISTAKES)
def test_an_edit_mends_the_mistake_and_names_its_line(
    kind: str, around: str, mistake: str, right: str, line: int
) -> None:
    edit = _edit(around % mistake, _mended(around, right))
    assert (edit.kind.name, edit.line) == (kind, line)


def _mended(around: str, right: str) -> str:
    return (around % right).replace("<<<g, 16>>>", "<<<g, dim3(16, 16)>>>")


def _edit(text: str, wanted: str) -> Edit:
    code = parse(text)
    made = {one.applied(code.text).decode(): one for one in candidates.of(code, set(), set())}
    return made[wanted]


@pytest.mark.parametrize(
    ("around", "text", "kind"),
    [
        # The same shape, but nothing that was changed in one place and not in another.
        (_DEVICE, "float x = a.x - b.x;\nfloat y = a.y - b.y;\nreturn x * y;", "copied line"),
        (_DEVICE, "float p = a.x;\nfloat q = b.x;\nreturn p * q;", "copied line"),
        # Read before it is set, or made of what was handed over.
        ("void f(int n) {\n%s\n}\n", "g(n); n = 5;", "argument overwritten"),
        ("void f(int n) {\n%s\n}\n", "n = n + 5;", "argument overwritten"),
        # All additions go to places of their own.
        (_SUM, "for (int i = t; i < n; i += 9) atomicAdd(&out[i], in[i]);", "order of additions"),
        # Nothing has been allocated when the macro may return.
        (_HOST.replace("  TRY(cudaMalloc(&d_x, n));\n", ""), "TRY(a(x));", "memory that stays"),
    ],
)
def test_what_is_right_has_no_such_edit(around: str, text: str, kind: str) -> None:
    edits = candidates.of(parse(around % text), set(), set())
    assert kind not in {one.kind.name for one in edits}


def test_what_has_another_type_is_chosen_without_a_change_of_the_others(tmp_path: Path) -> None:
    """Version 1 makes a real number of a quotient of whole ones, version 2 a variable of a 0."""
    text = (
        "float f() { const float c = -1 / 280; return c * 280; }\n"
        "float g(float a, int w) { return a + w; }\nfloat h(float w) { return g(0, 0); }\n"
        "void diff(const int* in, int* out, int n) { }\n"
    )
    begin = text.index("0, 0)")
    edits = {
        1: _edit(text, text.replace("-1 /", "-1.0f /")),
        2: Edit(Kind("", "", ""), 3, "", (Change(begin, begin + 1, "w"),)),
    }
    joined = schemata.join(parse(text), edits, set(), lab.load("diff"))
    source, program = tmp_path / "versions.cpp", tmp_path / "versions"
    source.write_text(_VERSIONS % joined.text)
    subprocess.run(["g++", "-std=c++20", "-w", "-o", program, source], check=True, timeout=60)
    ran = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60)
    assert ran.stdout.split() == ["0/0", "-1/0", "0/1.5"]

"""Edits of conditions and of indices that are made like those elsewhere in the function."""

from __future__ import annotations

import pytest

from tilelab.repairs import candidates, sites
from tilelab.repairs.code import all_of, condition_of, parse, parts_of, says

_KERNEL = "__global__ void k(const float* in, float* out, int n, int m) {{ {} }}"
_TILE = (
    "constexpr int b = 64, w = 2; "
    "__global__ void k(const float* in, float* out, int n, int m) "
    "{{ __shared__ float t[b]; const int x = threadIdx.x, y = threadIdx.y; {} }}"
)
_HELPER = "__device__ int f(const float* t, int first, int x, int m) {{ {} }}"

# The kind, what stands around it, the text with the mistake, and the text without it.
_MISTAKES = [
    (
        "bounds exchanged",
        _KERNEL,
        "int r = 1, c = 2; if (r < n && c < m) out[r * m + c] = 1;",
        "int r = 1, c = 2; if (r < m && c < n) out[r * m + c] = 1;",
    ),
    (
        "bounds exchanged",
        _KERNEL,
        "int r = 1, c = 2; if ((r < n) && (c < m)) out[r * m + c] = 1;",
        "int r = 1, c = 2; if ((r < m) && (c < n)) out[r * m + c] = 1;",
    ),
    (
        "guard of another element",
        _KERNEL,
        "int r = 1; for (int k = 0; k < 8; ++k) if (r < n) out[(r + k) * m] = 1;",
        "int r = 1; for (int k = 0; k < 8; ++k) if (r + k < n) out[(r + k) * m] = 1;",
    ),
    (
        "guard of another element",
        _KERNEL,
        "int r = 1; for (int k = 0; k < 8; ++k) if (r < n) out[(r + k * 8) * m] = 1;",
        "int r = 1; for (int k = 0; k < 8; ++k) if (r + k * 8 < n) out[(r + k * 8) * m] = 1;",
    ),
    (
        "element that a condition asks for",
        _TILE,
        "if (x > 0) out[x] = 1 + t[x];",
        "if (x > 0) out[x] = 1 + t[(x - 1)];",
    ),
    (
        "element that a condition asks for",
        _TILE,
        "const float before = y > 0 ? t[y] : 0; out[x] = before;",
        "const float before = y > 0 ? t[(y - 1)] : 0; out[x] = before;",
    ),
    (
        "element that a condition asks for",
        _TILE,
        "out[x] = x == 0 ? in[0] : t[x] - in[x];",
        "out[x] = x == 0 ? in[0] : t[(x - 1)] - in[x];",
    ),
    (
        "element that a condition asks for",
        _TILE,
        "if (x != 0 && y >= 1) out[x] = t[y] - in[x]; else out[x] = in[x];",
        "if (x != 0 && y >= 1) out[x] = t[(y - 1)] - in[x]; else out[x] = in[x];",
    ),
    (
        "element that a condition asks for",
        _TILE,
        "if (x == 0) { out[x] = 1; } else { out[x] = t[x]; }",
        "if (x == 0) { out[x] = 1; } else { out[x] = t[(x - 1)]; }",
    ),
    (
        "element that a condition asks for",
        _KERNEL,
        "for (int p = 0; p < n; ++p) { if (p + 1 < n) out[0] = f(p + m); }",
        "for (int p = 0; p < n; ++p) { if (p + 1 < n) out[0] = f((p + 1) + m); }",
    ),
    (
        "equally good",
        _KERNEL,
        "float best = 9, d = in[0]; int at = 1; out[0] = d < best ? n : at;",
        "float best = 9, d = in[0]; int at = 1; "
        "out[0] = (d < best || (d == best && n < at)) ? n : at;",
    ),
    (
        "equally good",
        _KERNEL,
        "float best = 9, d = in[0]; int at = 1; bool is = best > d; out[0] = is ? n : at;",
        "float best = 9, d = in[0]; int at = 1; "
        "bool is = (best > d || (best == d && n < at)); out[0] = is ? n : at;",
    ),
    (
        "units of an index",
        _KERNEL,
        "for (int w = 0; w < m; ++w) out[3 * n] = in[3 * m] + in[n + 3 * m] + in[n + w];",
        "for (int w = 0; w < m; ++w) out[3 * n] = in[3 * m] + in[n + 3 * m] + in[n + 3 * w];",
    ),
    (
        "elements of the last tile",
        _KERNEL,
        "int count = n % 64; out[0] = count;",
        "int count = ((n - 1) % 64 + 1); out[0] = count;",
    ),
    (
        "end of a loop",
        "struct Bins {{ int of[4 * 64]; }}; __global__ void k(int* out) "
        "{{ __shared__ Bins b; {} }}",
        "for (int i = threadIdx.x; i < 64; i += 32) b.of[i] = 0;",
        "for (int i = threadIdx.x; i < (4 * 64); i += 32) b.of[i] = 0;",
    ),
    (
        "memory in use",
        "void f(int* in, int* out, int n) {{}} "
        "void g(int* in, int* work, int m) {{ int* to = work + m; {} }}",
        "f(to, work + m, m);",
        "f(to, work + m + m, m);",
    ),
    (
        "slot that nobody filled",
        _TILE,
        "out[x] = f(t[x]);",
        "out[x] = f((x < w ? t[x] : 0));",
    ),
    (
        "slot that nobody filled",
        _TILE,
        "float v = 0; v = t[x]; out[x] = v;",
        "float v = 0; v = (x < w ? t[x] : 0); out[x] = v;",
    ),
    (
        "equally good",
        _KERNEL,
        "float best = 9; int at = -1; for (int j = 0; j < n; ++j) { float d = in[j]; "
        "if (d < best) { best = d; at = j; } }",
        "float best = 9; int at = -1; for (int j = 0; j < n; ++j) { float d = in[j]; "
        "if ((d < best || (d == best && j < at))) { best = d; at = j; } }",
    ),
    (
        "equally good",
        _KERNEL,
        "float best = 9; int at = -1; for (int j = 0; j < n; ++j) { float d = in[j]; "
        "if (j != m && best > d) { best = d; at = j; } }",
        "float best = 9; int at = -1; for (int j = 0; j < n; ++j) { float d = in[j]; "
        "if (j != m && (best > d || (best == d && j < at))) { best = d; at = j; } }",
    ),
    (
        "something to do",
        "void f(float* out, int n, int m) {{ {} }}",
        "if (n == 0 || m == 0) return; k<<<n, 32>>>(out, m);",
        "if (n == 0) return; k<<<n, 32>>>(out, m);",
    ),
    (
        "work of one block",
        _KERNEL,
        "int t = threadIdx.x; float s = 0; if (t < n % 4) s += in[n - n % 4 + t];",
        "int t = threadIdx.x; float s = 0; "
        "if ((blockIdx.x == 0 && (t < n % 4))) s += in[n - n % 4 + t];",
    ),
    (
        "threads leave early",
        _TILE,
        "int i = x; if (i >= n) return; float own = in[i]; for (int j = 0; j < n; j += b) "
        "{ t[x] = in[j]; __syncthreads(); } out[i] = own;",
        "int i = x;  float own = in[((i >= n) ? 0 : i)]; for (int j = 0; j < n; j += b) "
        "{ t[x] = in[j]; __syncthreads(); } if (!(i >= n)) out[i] = own;",
    ),
    (
        "as elsewhere",
        _TILE,
        "for (int p = 0; p < 4; ++p) out[m + y * 4 + p] = in[y + p * b];",
        "for (int p = 0; p < 4; ++p) out[m + (y + p * b) + 0] = in[y + p * b];",
    ),
    (
        "as elsewhere",
        _KERNEL,
        "__shared__ float a[2][8], c[2][8]; int now = 0; a[1 - now][n] = 1; c[now][n] = 2;",
        "__shared__ float a[2][8], c[2][8]; int now = 0; a[1 - now][n] = 1; c[1 - now][n] = 2;",
    ),
    (
        "length of a row",
        _TILE,
        "t[y * (b + 1) + x] = in[n]; out[n] = t[x * b + y];",
        "t[y * (b + 1) + x] = in[n]; out[n] = t[x * (b + 1) + y];",
    ),
    (
        "as elsewhere",
        _TILE,
        "__shared__ float s[64][64]; for (int k = 0; k < 64; k += 8) s[y + k][x ^ y] = in[k];",
        "__shared__ float s[64][64]; for (int k = 0; k < 64; k += 8) "
        "s[y + k][x ^ (y + k)] = in[k];",
    ),
    (
        "bits of a word",
        _KERNEL,
        "unsigned w = n; out[(w >> 8) & 0x7f] = out[w >> 16];",
        "unsigned w = n; out[(w >> 8) & 0x7f] = out[((w >> 16) & 0x7f)];",
    ),
    (
        "slots beyond the block",
        _TILE,
        "t[x] = 0; __syncthreads(); atomicAdd(&out[x], t[x]);",
        "for (int slot_ = threadIdx.x; slot_ < b; slot_ += blockDim.x) t[slot_] = 0; "
        "__syncthreads(); for (int slot_ = threadIdx.x; slot_ < b; slot_ += blockDim.x) "
        "atomicAdd(&out[slot_], t[slot_]);",
    ),
    (
        "off by one",
        _KERNEL,
        "const int period = m; out[0] = in[n - period];",
        "const int period = (m - 1); out[0] = in[n - period];",
    ),
    (
        "quotient and remainder",
        _KERNEL,
        "for (int t = blockIdx.x; t < n * m; t += gridDim.x) out[t % n] = in[t / m];",
        "for (int t = blockIdx.x; t < n * m; t += gridDim.x) out[t % n] = in[t / n];",
    ),
    (
        "units of an index",
        _KERNEL,
        "const int fours = n / 4; int q = threadIdx.x; const int i = fours + q; out[i] = 1;",
        "const int fours = n / 4; int q = threadIdx.x; const int i = 4 * fours + q; out[i] = 1;",
    ),
    (
        "known by its index",
        _HELPER,
        "for (int s = 0; s < m; ++s) { if (s == x) continue; return first + s; } return 0;",
        "for (int s = 0; s < m; ++s) { if "
        "((first + s) == int(blockIdx.x * blockDim.x + threadIdx.x)) continue; return first + s; } "
        "return 0;",
    ),
    (
        "promise about a size",
        _KERNEL,
        "const cuda::aligned_size_t<16> size(n * 4); cuda::memcpy_async(g, t, in, size, pipe);",
        "const cuda::aligned_size_t<16> size(n * 4); "
        "cuda::memcpy_async(g, t, in, size_t(n * 4), pipe);",
    ),
]


@pytest.mark.parametrize(("kind", "around", "mistake", "right"), _MISTAKES)
def test_an_edit_takes_the_mistake_away(kind: str, around: str, mistake: str, right: str) -> None:
    code = parse(around.format(mistake))
    wanted = around.format(right).encode()
    edits = [one for one in candidates.of(code, set(), set()) if one.applied(code.text) == wanted]
    assert [one.kind.name for one in edits] == [kind]
    assert sites.of(edits[0], code) is not None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bounds exchanged", "int r = 1, c = 2; if (r < n && c < n) out[r] = 1;"),
        ("guard of another element", "int r = 1; if (r < n) out[r * m + 1] = 1;"),
        ("equally good", "float best = 9; if (n < m) best = in[0];"),
        ("equally good", "out[0] = n < m ? n : m;"),
        ("element that a condition asks for", "if (n > 0) out[n - 1] = f(n);"),
        ("element that a condition asks for", "if (n + 1 < m) out[n + 1] = 1;"),
        ("units of an index", "int i = 3 * n; out[m] = in[i + m];"),
        ("work of one block", "int i = blockIdx.x + threadIdx.x; if (i < n) out[i] = in[i];"),
        ("bits of a word", "out[(n >> 8) & 0xff] = n << 2;"),
        ("quotient and remainder", "int q = n / 4, r = n % 4, other = m % 8;"),
        ("as elsewhere", "int i = n + 1; out[i] = in[i];"),
        ("slots beyond the block", "int x = threadIdx.x; out[x] = in[x];"),
        ("as elsewhere", "__shared__ float t[9]; t[n] = 1; out[n] = t[n - 1];"),
    ],
)
def test_what_is_no_mistake_of_these_kinds_gets_no_such_edit(kind: str, text: str) -> None:
    found = candidates.of(parse(_KERNEL.format(text)), set(), set())
    assert kind not in {one.kind.name for one in found}


def test_a_quotient_that_is_divided_on_is_limited_by_that_divisor_first() -> None:
    text = _KERNEL.format("int d = 2, j = blockIdx.x / m * 64, k = blockIdx.x / m / d; out[j] = k;")
    edits = [
        one
        for one in candidates.of(parse(text), set(), set())
        if one.kind.name == "blocks along several axes"
    ]
    assert b"blockIdx.x / m % d" in edits[0].applied(text.encode())


def test_a_condition_may_have_very_many_parts() -> None:
    code = parse(_KERNEL.format(f"if ({' && '.join(['n < m'] * 3000)}) out[0] = 1;"))
    (branch,) = all_of(code.root, "if_statement")
    condition = condition_of(branch)
    assert condition is not None
    assert [says(one) for one in parts_of(condition, "&&")] == ["n < m"] * 3000


def test_a_slot_for_each_thread_is_no_slot_beyond_the_block() -> None:
    text = _TILE.format("t[x] = 0;") + " void f(int n) { k<<<n, b>>>(nullptr, nullptr, n, n); }"
    found = candidates.of(parse(text), set(), set())
    assert "slots beyond the block" not in {one.kind.name for one in found}


@pytest.mark.parametrize(
    ("begin", "wrong", "right"),
    [
        ("const int x = threadIdx.x, y = threadIdx.y, z = 4;", "out[y] = in[x]", "out[y] = in[y]"),
        ("int bestA = 1, bestB = 2, other = 3;", "out[bestA] = 1", "out[bestB] = 1"),
    ],
)
def test_names_that_are_easily_mistaken_are_tried_first(begin: str, wrong: str, right: str) -> None:
    code = parse(_KERNEL.format(f"{begin} {wrong};"))
    variables = [
        one for one in candidates.of(code, set(), set()) if one.kind.name == "wrong variable"
    ]
    applied = [one.applied(code.text).decode() for one in variables]
    assert any(right in text for text in applied[:4])

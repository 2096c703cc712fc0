"""More edits that are derived from a text: a mistake, and the text without it."""

from __future__ import annotations

from collections.abc import Set

import pytest

from tilelab.repairs import candidates, chosen, sites
from tilelab.repairs.code import parse
from tilelab.repairs.edit import Edit, Kind

_KERNEL = "__global__ void k(const float* in, float* out, int n) {{ {} }}"
_TILE = (
    "constexpr int b = 64, halo = 2; __global__ void k(const float* in, float* out, int n) "
    "{{ __shared__ float t[b + halo]; {} }}"
)
_HOST = "void f(const float* in, float* out, int n) {{ {} }}"

# The kind, what stands around it, the text with the mistake, and the text without it.
_MISTAKES = [
    (
        "layout of an array",
        "enum {{ rows = 8, columns = 4 }}; __device__ int slot(int row, int column) {{ {} }}",
        "return column * columns + row;",
        "return (row * columns + column);",
    ),
    (
        "layout of an array",
        "enum {{ values = 8, copies = 4 }}; __device__ int slot(int value, int copy) {{ {} }}",
        "return copy * values + value;",
        "return (value * copies + copy);",
    ),
    (
        "share of a block",
        "#define PER 4\n__device__ int first() {{ {} }}",
        "return blockIdx.x * blockDim.x;",
        "return (blockIdx.x * blockDim.x * PER);",
    ),
    (
        "slots in all rows",
        "#define R 8\n#define C 4\n__global__ void k(int n) {{ {} }}",
        "__shared__ int t[R][C]; for (int i = 0; i < R; ++i) t[0][i] = 0;",
        "__shared__ int t[R][C]; for (int i = 0; i < R * C; ++i) t[0][i] = 0;",
    ),
    (
        "wrong variable",
        "struct S {{ int rows, columns; float h; }}; __device__ int f(S s) {{ {} }}",
        "return s.rows * 2;",
        "return s.columns * 2;",
    ),
    (
        "order of statements",
        "__global__ void k(float2 p, float2 v, float2 a) {{ {} }}",
        "p.x += v.x; p.y += v.y; v.x += a.x; v.y += a.y;",
        "v.x += a.x; v.y += a.y; p.x += v.x; p.y += v.y;",
    ),
    (
        "amount of a step",
        "__device__ int wrap(int p, int m) {{ {} }}",
        "if (p < 0) p += m - 1; else p -= m; return p;",
        "if (p < 0) p += m - 1; else p -= m - 1; return p;",
    ),
    (
        "power",
        "__device__ float pull(float mass, float inverse) {{ {} }}",
        "return mass * inverse * inverse;",
        "return (mass * inverse * inverse * inverse);",
    ),
    (
        "part of a sum",
        "__global__ void k(int* words, int own, int before) {{ {} }}",
        "post(words, own); post(words, before);",
        "post(words, own); post(words, before + own);",
    ),
    (
        "result thrown away",
        "__device__ float limit(float x, float top) {{ return x < top ? x : top; }} "
        "__global__ void k(float* in, float* out, float top) {{ {} }}",
        "float x = in[0]; limit(x, top); out[0] = x;",
        "float x = in[0]; x = limit(x, top); out[0] = x;",
    ),
    (
        "order of operations",
        _KERNEL,
        "int t = n; out[0] = in[t] - t > 0 ? in[t - 1] : 0;",
        "int t = n; out[0] = (in[t] - (t > 0 ? in[t - 1] : 0));",
    ),
    (
        "order of operations",
        _KERNEL,
        "int count = min(64, n - 2 + taps - 1);",
        "int count = (min(64, n - 2) + taps - 1);",
    ),
    (
        "order of operations",
        _KERNEL,
        "int count = min(64, n - 2) + taps - 1;",
        "int count = min(64, n - 2 + taps - 1);",
    ),
    (
        "value from before",
        _KERNEL,
        "for (int s = 0; s < n; ++s) { int me = blockIdx.x * 64 + threadIdx.x, other = n + s; "
        "if (s != threadIdx.x) out[me] = in[other]; }",
        "for (int s = 0; s < n; ++s) { int me = blockIdx.x * 64 + threadIdx.x, other = n + s; "
        "if (other != me) out[me] = in[other]; }",
    ),
    (
        "value from before",
        "__global__ void k(float4* v, float4* p, float dt) {{ {} }}",
        "float4 old = v[0]; float vx = old.x + dt, vy = old.y + dt; p[0].x += old.x * dt - old.y;",
        "float4 old = v[0]; float vx = old.x + dt, vy = old.y + dt; p[0].x += vx * dt - vy;",
    ),
    (
        "value from before",
        "#define LENGTH 64\n__global__ void k(float* out, int n, int begin) {{ {} }}",
        "int points = min(LENGTH, n - begin); int after = begin + LENGTH; out[after] = points;",
        "int points = min(LENGTH, n - begin); int after = begin + points; out[after] = points;",
    ),
    (
        "number of the block",
        _KERNEL,
        "__shared__ int drawn; int tile = drawn; int i = blockIdx.x * 64; out[i] = tile;",
        "__shared__ int drawn; int tile = drawn; int i = tile * 64; out[i] = tile;",
    ),
    (
        "axes exchanged",
        _TILE,
        "int lane = n, k = 2; out[k * n + lane] = t[k * 33 + lane];",
        "int lane = n, k = 2; out[k * n + lane] = t[lane * 33 + k];",
    ),
    (
        "this round or the next",
        _KERNEL,
        "int slot = 0; for (int i = 0; i < n; ++i) { fetch(out[slot]); slot = 1 - slot; }",
        "int slot = 0; for (int i = 0; i < n; ++i) { fetch(out[(1 - slot)]); slot = 1 - slot; }",
    ),
    (
        "this round or the next",
        _KERNEL,
        "for (int t = 0; t < n; t += gridDim.x) fetch(out, t);",
        "for (int t = 0; t < n; t += gridDim.x) fetch(out, (t + (gridDim.x)));",
    ),
    (
        "step of a loop",
        _KERNEL,
        "int a = 0; a += gridDim.x; for (int t = 0; t < n; ++t) { out[t] = in[a]; a++; }",
        "int a = 0; a += gridDim.x; "
        "for (int t = 0; t < n; ++t) { out[t] = in[a]; a += gridDim.x; }",
    ),
    (
        "end of a search",
        _KERNEL,
        "int s = 0; for (int i = 0; i < n; ++i) { if (in[i] > 0) { s += i; } else s = 0; }",
        "int s = 0; for (int i = 0; i < n; ++i) { if (in[i] > 0) { s += i; break; } else s = 0; }",
    ),
    (
        "end of a search",
        _KERNEL,
        "int s = 0; while (s < n) if (in[s] > 0) s += 2; else ++s;",
        "int s = 0; while (s < n) if (in[s] > 0) { s += 2; break; } else ++s;",
    ),
    (
        "off by one",
        "__device__ int wrap(int i, int m) {{ {} }}",
        "if (i >= m) return i - m; return i < 0 ? i + m : i;",
        "if (i >= m) return i - (m - 1); return i < 0 ? i + (m - 1) : i;",
    ),
    (
        "condition",
        "__global__ void k(const float* a, float* t, int n, int k) {{ {} }}",
        "int r = 1, c = 2, x = 3; t[0] = (r < n && c < n) ? a[r * k + x] : 0;",
        "int r = 1, c = 2, x = 3; t[0] = (r < n && x < k) ? a[r * k + x] : 0;",
    ),
    (
        "reciprocal",
        "void f(const float* in, float* out, float h) {{ {} }}",
        "k<<<1, 32>>>(in, out, h);",
        "k<<<1, 32>>>(in, out, (1 / h));",
    ),
    (
        "reciprocal",
        "void f(const float* in, float* out, float h) {{ {} }}",
        "float scale = 1.0f / h;",
        "float scale = h;",
    ),
    (
        "copy missing",
        "cudaError_t f(const float* x, const float* y, float* out, int n) {{ {} }}",
        "float *a, *b; cudaMalloc(&a, n); cudaMalloc(&b, n); "
        "if (n) cudaMemcpy(a, x, n, cudaMemcpyHostToDevice);",
        "float *a, *b; cudaMalloc(&a, n); cudaMalloc(&b, n); "
        "if (n) cudaMemcpy(a, x, n, cudaMemcpyHostToDevice); "
        "if (n) cudaMemcpy(b, y, n, cudaMemcpyHostToDevice);",
    ),
    (
        "copy missing",
        "cudaError_t f(const float* x, const float* y, int n) {{ {} }}",
        "float *a, *b; cudaMalloc(&a, n); cudaMalloc(&b, n); "
        "cudaMemcpy(a, x, n, cudaMemcpyHostToDevice); "
        "cudaMemcpy(a, y, n, cudaMemcpyHostToDevice);",
        "float *a, *b; cudaMalloc(&a, n); cudaMalloc(&b, n); "
        "cudaMemcpy(a, x, n, cudaMemcpyHostToDevice); "
        "cudaMemcpy(b, y, n, cudaMemcpyHostToDevice);",
    ),
    (
        "empty launch",
        _HOST,
        "int b = (n + 31) / 32; k<<<b, 32>>>(in, out, n);",
        "int b = (((n + 31) / 32) > 0 ? ((n + 31) / 32) : 1); k<<<b, 32>>>(in, out, n);",
    ),
    (
        "dim3 forgotten",
        _HOST,
        "k<<<n, (16, 16)>>>(in, out, n);",
        "k<<<n, dim3(16, 16)>>>(in, out, n);",
    ),
    (
        "slots of the last tile",
        _KERNEL,
        "for (int t = 0; t < n; t += 64) { for (int s = 0; s < 64; ++s) a(s); }",
        "for (int t = 0; t < n; t += 64) { for (int s = 0; s < 64 && t + s < n; ++s) a(s); }",
    ),
    (
        "slots of the last tile",
        _KERNEL,
        "for (int t = 0; t < 9; ++t) { for (int s = 0; s < 64; ++s) a(s); }",
        "for (int t = 0; t < 9; ++t) { for (int s = 0; s < 64 && t * 64 + s < n; ++s) a(s); }",
    ),
    (
        "start of a search",
        _KERNEL,
        "int best = 0; for (int j = 0; j < n; ++j) if (in[j] < 1) best = j;",
        "int best = -1; for (int j = 0; j < n; ++j) if (in[j] < 1) best = j;",
    ),
    (
        "term missing",
        _TILE,
        "int r = threadIdx.x, j = r - halo; float s = 0; s += t[r + 1] - t[r - 1];",
        "int r = threadIdx.x, j = r - halo; float s = 0; "
        "s += t[(r + 1 + halo)] - t[(r - 1 + halo)];",
    ),
    (
        "guard missing",
        "__global__ void k(float* out, int n) {{ __shared__ float s[8]; {} }}",
        "int i = threadIdx.x; float a = s[i];",
        "int i = threadIdx.x; float a = (i < 8 ? s[i] : 0);",
    ),
    (
        "index of a thread",
        _KERNEL,
        "int i = threadIdx.x * gridDim.x + blockIdx.x;",
        "int i = (blockIdx.x * blockDim.x + threadIdx.x);",
    ),
    (
        "elements of a thread",
        _KERNEL,
        "for (int r = 0; r < 4; ++r) { int i = threadIdx.x * 4 + r; out[i] = 1; }",
        "for (int r = 0; r < 4; ++r) { int i = threadIdx.x + r * blockDim.x; out[i] = 1; }",
    ),
    (
        "elements of a thread",
        _KERNEL,
        "for (int r = 0; r < 4; ++r) { int y = threadIdx.y + r; out[y] = 1; }",
        "for (int r = 0; r < 4; ++r) { int y = threadIdx.y + r * blockDim.y; out[y] = 1; }",
    ),
    (
        "elements of a thread",
        "constexpr int rows = 8; " + _KERNEL,
        "const int y = threadIdx.y; for (int r = 0; r < 4; ++r) out[y + r] = in[y + r];",
        "const int y = threadIdx.y; for (int r = 0; r < 4; ++r) "
        "out[y + r * rows] = in[y + r * rows];",
    ),
    (
        "wrong variable",
        "__device__ float f(float v, float low, float high) {{ {} }}",
        "return fminf(low, fmaxf(high, v));",
        "return fminf(high, fmaxf(low, v));",
    ),
    (
        "wrong array",
        "void f() {{ {} }}",
        "float *a, *b; cudaMalloc(&a, 4); cudaMalloc(&a, 4);",
        "float *a, *b; cudaMalloc(&a, 4); cudaMalloc(&b, 4);",
    ),
    (
        "memory in use",
        "void g(float* to, float* work, int n) {{ }} void f(float* work, int n) {{ {} }}",
        "g(work, work, n);",
        "g(work, work + n, n);",
    ),
    (
        "empty slot",
        _TILE,
        "float* from = t; int i = threadIdx.x; if (i >= 2) t[i] = from[i] + from[i - 2];",
        "float* from = t; int i = threadIdx.x; if (i >= 2) t[i] = from[i] + from[i - 2]; "
        "else t[i] = from[i];",
    ),
    (
        "type too small",
        _KERNEL,
        "char byte = 0; out[byte] = 1;",
        "unsigned char byte = 0; out[byte] = 1;",
    ),
    (
        "lane without a partner",
        _KERNEL,
        "int x = n; for (int d = 1; d < 32; d *= 2) { int y = __shfl_up_sync(~0u, x, d); x += y; }",
        "int x = n; for (int d = 1; d < 32; d *= 2) { int y = __shfl_up_sync(~0u, x, d); "
        "if (threadIdx.x % 32 >= d) x += y; }",
    ),
    (
        "elements of the last tile",
        _TILE,
        "for (int begin = 0; begin < n; begin += b) { int count = n % b; out[count] = 1; }",
        "for (int begin = 0; begin < n; begin += b) { int count = (n - begin); out[count] = 1; }",
    ),
    (
        "fraction of whole numbers",
        "{}",
        "__constant__ float c[2] = {4 / 5, -1 / 5}; constexpr float d = 4 / 105;",
        "__constant__ float c[2] = {4.0f / 5, -1.0f / 5}; constexpr float d = 4.0f / 105;",
    ),
    (
        "inside or outside",
        _KERNEL,
        "for (int i = 0; i < n; ++i) { float best = 1e30f; if (in[i] < best) best = in[i]; }",
        "float best = 1e30f; for (int i = 0; i < n; ++i) {  if (in[i] < best) best = in[i]; }",
    ),
    (
        "slots beyond the block",
        _TILE,
        "int i = threadIdx.x; if (i < b) out[i] = t[i];",
        "int i = threadIdx.x; "
        "for (int slot_ = threadIdx.x; slot_ < b; slot_ += blockDim.x) out[slot_] = t[slot_];",
    ),
    (
        "memory that stays",
        "cudaError_t f(float* d) {{ {} }}",
        "cudaError_t e = g(d); if (e != cudaSuccess) return e; cudaFree(d); return e;",
        "cudaError_t e = g(d); ; cudaFree(d); return e;",
    ),
    (
        "index of the round",
        _TILE,
        "int x = threadIdx.x, y = 0; for (int r = 0; r < 4; ++r) out[x + r] = s[x][y];",
        "int x = threadIdx.x, y = 0; for (int r = 0; r < 4; ++r) out[x + r] = s[x][r];",
    ),
    (
        "upper bound",
        _HOST,
        "int blocks = n / 4; if (blocks > 1024) blocks = 1024; k<<<blocks, 4>>>(in, out, n);",
        "int blocks = n / 4; ; k<<<blocks, 4>>>(in, out, n);",
    ),
    (
        "upper bound",
        _HOST,
        "k<<<std::min((n + 3) / 4, 1024), 4>>>(in, out, n);",
        "k<<<((n + 3) / 4), 4>>>(in, out, n);",
    ),
    (
        "blocks along several axes",
        "__global__ void k(float* out, int across, int down) {{ {} }}",
        "const int y = blockIdx.x / across * 8; out[y] = 1;",
        "const int y = (blockIdx.x / across % down) * 8; out[y] = 1;",
    ),
    (
        "quotient and remainder",
        _KERNEL,
        "const int t = threadIdx.x; const int lane = t / 32; out[lane] = 1;",
        "const int t = threadIdx.x; const int lane = t % 32; out[lane] = 1;",
    ),
    (
        "off by one",
        "__device__ int wrapped(int i, int m) {{ {} }}",
        "if (i < 0) return i + m;\nif (i >= m) return i - m;\nreturn i;",
        "if (i < 0) return i + (m - 1);\nif (i >= m) return i - (m - 1);\nreturn i;",
    ),
    (
        "slot of the tile",
        _KERNEL,
        "t[y][x ^ y] = 1; __syncthreads(); out[0] = t[a][b];",
        "t[y][x ^ y] = 1; __syncthreads(); out[0] = t[a][b ^ a];",
    ),
    (
        "elements of a thread",
        "__global__ void k(float* out, int n) {{ {} }}",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; "
        "for (int k = 4 * i; k < 4 * i + 4 && k < n; ++k) out[k] = 1;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; "
        "for (int k = i; k < n; k += gridDim.x * blockDim.x) out[k] = 1;",
    ),
    (
        "work of one block",
        _KERNEL,
        "const int t = threadIdx.x; for (int i = 8 + t; i < n; i += 64) out[i] = 1;",
        "const int t = threadIdx.x; for (int i = 8 + (blockIdx.x * blockDim.x + threadIdx.x); "
        "i < n; i += 64 * gridDim.x) out[i] = 1;",
    ),
    (
        "first round of a loop",
        _HOST,
        "while (n > 1) { k<<<1, 64>>>(in, out, n); n /= 2; }",
        "do { k<<<1, 64>>>(in, out, n); n /= 2; } while (n > 1);",
    ),
    (
        "condition",
        _KERNEL,
        "const int r = n, c = n, p = 0; t = (r < n && c < n) ? in[r * n + p + c] : 0;",
        "const int r = n, c = n, p = 0; t = (r < n && p + c < n) ? in[r * n + p + c] : 0;",
    ),
    (
        "order of a difference",
        _KERNEL,
        "float dx = a.x - b.x, dy = a.y - b.y;\nfloat dz = a.z - b.z;",
        "float dx = b.x - a.x, dy = b.y - a.y;\nfloat dz = b.z - a.z;",
    ),
    (
        "wrong array",
        _KERNEL,
        "float4 v; float4 w; w.x = 1; out[0] = f(in[0] + v.x, in[1] + v.y);",
        "float4 v; float4 w; w.x = 1; out[0] = f(in[0] + w.x, in[1] + w.y);",
    ),
    (
        "memory that stays",
        "cudaError_t f(const float* in, float* out, int n) {{ {} return cudaSuccess; }}",
        "float *a, *b; if (cudaMalloc(&a, n)) return e; if (cudaMalloc(&b, n)) return g; "
        "if (n) return h;",
        "float *a, *b; if (cudaMalloc(&a, n)) return e; "
        "if (cudaMalloc(&b, n)) { cudaFree(a); return g; } "
        "if (n) { cudaFree(a); cudaFree(b); return h; }",
    ),
    (
        "error not asked for",
        "cudaError_t f(const float* in, float* out, int n) {{ {} return e; }}",
        "cudaError_t e = cudaSuccess; g(in); cudaMemcpy(out, in, n, cudaMemcpyDefault); "
        "e = cudaGetLastError();",
        "cudaError_t e = cudaSuccess; g(in); e = cudaGetLastError(); "
        "if (e == cudaSuccess) e = cudaMemcpy(out, in, n, cudaMemcpyDefault); ",
    ),
    ("axes exchanged", _KERNEL, "a(t[x][i]);", "a(t[i][x]);"),
    (
        "first or last thread",
        _KERNEL,
        "const int lane = threadIdx.x & 31; if (lane == 0) out[0] = 1;",
        "const int lane = threadIdx.x & 31; if (lane == (31 + 1) - 1) out[0] = 1;",
    ),
    (
        "mask of a warp operation",
        _KERNEL,
        "if (threadIdx.x < n) { out[0] = __shfl_up_sync(0xffffffff, in[0], 1); }",
        "if (threadIdx.x < n) { out[0] = __shfl_up_sync((0xffffffffu >> (32 - (n))), in[0], 1); }",
    ),
    (
        "work of all threads",
        _KERNEL,
        "__shared__ int tile; tile = atomicAdd(&next, 1);",
        "__shared__ int tile; if (threadIdx.x == 0) tile = atomicAdd(&next, 1);",
    ),
    (
        "threads leave early",
        _KERNEL,
        "int i = threadIdx.x; if (i >= n) return; out[i] = 1;",
        "int i = threadIdx.x;  out[i] = 1;",
    ),
    (
        "term left out",
        _KERNEL,
        "float mine = in[0]; out[0] = in[1];",
        "float mine = in[0]; out[0] = in[1] + mine;",
    ),
    (
        "flag that is not volatile",
        "struct S {{ {} }}; __global__ void k(S s, int n) {{ while (s.state[n] == 0) {{ }} }}",
        "int* state;",
        "volatile int* state;",
    ),
    (
        "condition too strict",
        _HOST,
        "if (!done) cudaMemset(out, 0, n);",
        "if (true) cudaMemset(out, 0, n);",
    ),
    (
        "arguments exchanged",
        _HOST,
        "cudaMemcpyAsync(out, in, n, cudaMemcpyDeviceToDevice);",
        "cudaMemcpyAsync(in, out, n, cudaMemcpyDeviceToDevice);",
    ),
    (
        "direction of a shuffle",
        _KERNEL,
        "float v = __shfl_down_sync(~0u, in[0], 1);",
        "float v = __shfl_up_sync(~0u, in[0], 1);",
    ),
    (
        "first or last thread",
        _KERNEL,
        "int t = threadIdx.x; if (t == 0) out[blockIdx.x] = 1;",
        "int t = threadIdx.x; if (t == blockDim.x - 1) out[blockIdx.x] = 1;",
    ),
    (
        "first or last thread",
        _KERNEL,
        "if (threadIdx.x % 32 == 32 - 1) out[blockIdx.x] = 1;",
        "if (threadIdx.x % 32 == 0) out[blockIdx.x] = 1;",
    ),
    (
        "guard missing",
        _KERNEL,
        "int i = threadIdx.x; float v = f(in[i]);",
        "int i = threadIdx.x; float v = f((i < n ? in[i] : 0));",
    ),
    (
        "off by one",
        _KERNEL,
        "int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "int i = (blockIdx.x + 1) * blockDim.x + threadIdx.x;",
    ),
    (
        "units of an index",
        _HOST,
        "int quads = n / 4; g(in, quads);",
        "int quads = n / 4; g(in, 4 * quads);",
    ),
    (
        "known by its index",
        _KERNEL,
        "int t = threadIdx.x, f = 0; int i = f + t; "
        "for (int j = 0; j < n; ++j) { if (j != t) a(f + j); }",
        "int t = threadIdx.x, f = 0; int i = f + t; "
        "for (int j = 0; j < n; ++j) { if ((f + j) != i) a(f + j); }",
    ),
    (
        "lane and thread",
        _KERNEL,
        "float v = __shfl_up_sync(~0u, in[0], 1); if (threadIdx.x == 0) v = 0;",
        "float v = __shfl_up_sync(~0u, in[0], 1); if (threadIdx.x % 32 == 0) v = 0;",
    ),
    (
        "end of a loop",
        _TILE,
        "for (int s = threadIdx.x; s < b; s += 32) t[s] = 0;",
        "for (int s = threadIdx.x; s < (b + halo); s += 32) t[s] = 0;",
    ),
    (
        "work of one thread",
        _TILE,
        "for (int s = 0; s < b; ++s) t[s] = in[s];",
        "for (int s = threadIdx.x; s < b; s += blockDim.x) t[s] = in[s];",
    ),
    (
        "distances of a tree",
        _TILE,
        "for (int d = 1; d < b; d *= 2) { int s = 2 * d * x; if (s < b) t[s] += t[s + d]; }",
        "for (int d = (b) / 2; d > 0; d /= 2) { if (threadIdx.x < d) "
        "t[threadIdx.x] += t[threadIdx.x + d]; __syncthreads(); }",
    ),
    (
        "barrier in the middle of a loop",
        _TILE,
        "for (int s = 0; s < n; ++s) { t[s] = in[s]; __syncthreads(); out[s] = t[0]; }",
        "for (int s = 0; s < n; ++s) { t[s] = in[s]; } __syncthreads(); "
        "for (int s = 0; s < n; ++s) { out[s] = t[0]; }",
    ),
    ("term missing", _TILE, "int j = 0; if (j < n) a();", "int j = 0; if (j < (n + halo)) a();"),
    (
        "term missing",
        "__device__ int g(int n) {{ return max(n, b + taps - 1); }} "
        "__global__ void k(int n) {{ {} }}",
        "a(min(b, n - x));",
        "a(min(b, (n - x + taps - 1)));",
    ),
    ("inside or outside", _KERNEL, "a(g(x, n) + y);", "a(g(x + y, n));"),
    ("inside or outside", _KERNEL, "a((x + y) * n);", "a((x + y * n));"),
    ("inside or outside", _KERNEL, "a(x * n + y);", "a((x * (n + y)));"),
    (
        "order of arithmetic",
        "__device__ float g(float2 a, float2 b) {{ {} }}",
        "return dot(a, a) - 2 * dot(a, b) + dot(b, b);",
        "return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);",
    ),
    (
        "guard missing",
        _KERNEL,
        "int i[2]; for (int r = 0; r < 2; ++r) out[i[r]] = 1;",
        "int i[2]; for (int r = 0; r < 2; ++r) if (i[r] < n) out[i[r]] = 1;",
    ),
    (
        "empty slot",
        _TILE,
        "t[0] = n > 1 ? in[1] : 0.0f;",
        "t[0] = n > 1 ? in[1] : 3.402823466e38f;",
    ),
    (
        "whole number for a float",
        "__global__ void k(float* out, {} a) {{}}",
        "int",
        "float",
    ),
    ("whole number for a float", _KERNEL, "auto s = 0;", "float s = 0;"),
    (
        "pointer of the host",
        _HOST,
        "float *d_i, *d_o; cudaMemcpy(d_i, in, n, cudaMemcpyHostToDevice); g(in, out); "
        "cudaMemcpy(out, d_o, n, cudaMemcpyDeviceToHost);",
        "float *d_i, *d_o; cudaMemcpy(d_i, in, n, cudaMemcpyHostToDevice); g(d_i, d_o); "
        "cudaMemcpy(out, d_o, n, cudaMemcpyDeviceToHost);",
    ),
    (
        "array of the next round",
        _HOST,
        "while (n > 1) { int blocks = n / 2; g(in, out); }",
        "while (n > 1) { int blocks = n / 2; g(in, out); out += blocks; }",
    ),
    (
        "address of a vector",
        "__global__ void k(const float* in) {{ a(*reinterpret_cast<const float4*>(in)); }} "
        "void f(const float* in, int n) {{ {} }}",
        "in += n;",
        "in += (n + 3) / 4 * 4;",
    ),
    (
        "more than 48 KiB",
        _HOST,
        "k<<<n, 32, bytes>>>(in);",
        "{ cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes); "
        "k<<<n, 32, bytes>>>(in); }",
    ),
    (
        "block",
        "namespace {{ constexpr int b = 64; __global__ void k(int* out) {{ out[b] = 1; }} }} "
        "void f(int* out) {{ {} }}",
        "int threads = 512; k<<<1, threads>>>(out);",
        "int threads = b; k<<<1, threads>>>(out);",
    ),
    (
        "grid",
        _HOST,
        "k<<<n, 32>>>(in, out, n);",
        "k<<<(n + 32 - 1) / 32, 32>>>(in, out, n);",
    ),
    (
        "end of a loop",
        "enum {{ some = 4, all = 8 }}; " + _KERNEL,
        "for (int k = 0; k < all; ++k) t[k] = 1; for (int k = 0; k < some; ++k) a(t[k]);",
        "for (int k = 0; k < some; ++k) t[k] = 1; for (int k = 0; k < some; ++k) a(t[k]);",
    ),
    (
        "grid",
        "void f(int* out, int n, int blocks) {{ {} }}",
        "k<<<n / 32, 32>>>(out);",
        "k<<<blocks, 32>>>(out);",
    ),
    (
        "copy of one thread",
        "#include <cooperative_groups.h>\n" + _KERNEL,
        "cuda::memcpy_async(t, in, 4 * n, pipe);",
        "cuda::memcpy_async(cooperative_groups::this_thread_block(), t, in, 4 * n, pipe);",
    ),
    (
        "promise about a size",
        _KERNEL,
        "g(t, in, cuda::aligned_size_t<16>(4 * n), pipe);",
        "g(t, in, size_t(4 * n), pipe);",
    ),
    (
        "wait for the wrong batch",
        _KERNEL,
        "if (x < n) copy(); __pipeline_wait_prior(1);",
        "if (x < n) copy(); if (x < n) __pipeline_wait_prior(1); else __pipeline_wait_prior(0);",
    ),
    (
        "wait for the wrong batch",
        _KERNEL,
        "if (n) copy(); cuda::pipeline_consumer_wait_prior<1>(p);",
        "if (n) copy(); if (n) cuda::pipeline_consumer_wait_prior<1>(p); "
        "else cuda::pipeline_consumer_wait_prior<0>(p);",
    ),
    ("rounded up", _KERNEL, "int v = (n + 15) / 16;", "int v = (n / 16);"),
    ("quotient and remainder", _KERNEL, "a(threadIdx.x / 32);", "a(threadIdx.x % 32);"),
    ("off by one", "constexpr int c = {};", "b + taps", "b + taps - 1"),
    (
        "condition",
        "__global__ void k(int* out, int m, int n) {{ {} }}",
        "int i = 0, j = 0; if (i < m && j < n) a(); if (i < m) out[i] = j;",
        "int i = 0, j = 0; if (i < m && j < n) a(); if ((i < m) && j < n) out[i] = j;",
    ),
    (
        "condition",
        "__global__ void k(int* out, int rows, int m) {{ {} }}",
        "int r = 0, c = 0; if (c < m) out[r * m + c] = 1;",
        "int r = 0, c = 0; if ((c < m) && r < rows) out[r * m + c] = 1;",
    ),
    (
        "read from global memory",
        _TILE,
        "for (int d = 0; d < n; ++d) { float a = t[x + d]; float b = in[i - d]; }",
        "for (int d = 0; d < n; ++d) { float a = t[x + d]; float b = t[x - d]; }",
    ),
    (
        "axes exchanged",
        _KERNEL,
        "int l = blockIdx.x, t = blockIdx.y; __syncthreads(); int c = blockIdx.x * 8; "
        "if (n) { int r = blockIdx.y * 8; }",
        "int l = blockIdx.x, t = blockIdx.y; __syncthreads(); int c = blockIdx.y * 8; "
        "if (n) { int r = blockIdx.x * 8; }",
    ),
    (
        "axes exchanged",
        _KERNEL,
        "int c = blockIdx.x * 8, r = blockIdx.y * 8; __syncthreads(); int x = r + 1; "
        "for (;;) { int y = c + 2; }",
        "int c = blockIdx.x * 8, r = blockIdx.y * 8; __syncthreads(); int x = c + 1; "
        "for (;;) { int y = r + 2; }",
    ),
    (
        "axes exchanged",
        _HOST,
        "dim3 grid; grid.x = f(n); grid.y = f(m);",
        "dim3 grid; grid.x = f(m); grid.y = f(n);",
    ),
    (
        "known by its index",
        "__device__ void look(const float* t, int base, int self, int& best) {{ {} }}",
        "for (int s = 0; s < 8; ++s) { if (s != self) {\n best = s; } t[s]; }",
        "for (int s = 0; s < 8; ++s) { if (base + s != self) {\n best = base + s; } t[s]; }",
    ),
    (
        "known by its index",
        _KERNEL,
        "int best = 0; for (int s = 0; s < 8; ++s) { int j = n + s; best = s; }",
        "int best = 0; for (int s = 0; s < 8; ++s) { int j = n + s; best = j; }",
    ),
    (
        "comparison",
        _KERNEL,
        "if (i <= n) a();\nif (i <= n) b();\n\n\n\n\nif (i <= n) c();",
        "if (i < n) a();\nif (i < n) b();\n\n\n\n\nif (i <= n) c();",
    ),
    (
        "arguments exchanged",
        "__device__ void g(int a, float b, int c) {{ }} __global__ void k(int n, int m) {{ {} }}",
        "g(n, 1, m);",
        "g(m, 1, n);",
    ),
    (
        "arguments exchanged",
        "struct Axis {{ int length; int step, planes; }}; void f(int n, int m) {{ {} }}",
        "Axis z = {n, 1, n * m};",
        "Axis z = {n * m, 1, n};",
    ),
    (
        "direction of a copy",
        _HOST,
        "TRY(cudaMemcpy(g, (void*)out, n, cudaMemcpyHostToDevice));",
        "TRY(cudaMemcpy((void*)out, g, n, cudaMemcpyDeviceToHost));",
    ),
    (
        "order of statements",
        _KERNEL,
        "for (;;) { k = 1 - k; a(); b(); out[0] = t[k]; }",
        "for (;;) {  a(); b(); out[0] = t[k]; k = 1 - k; }",
    ),
    (
        "order of statements",
        _KERNEL,
        "for (;;) { out[0] = t[k]; a(); b(); k = 1 - k; }",
        "for (;;) { k = 1 - k; out[0] = t[k]; a(); b();  }",
    ),
    (
        "barrier in a loop",
        _KERNEL,
        "for (;;) { __syncthreads(); t[n] = 1; } out[0] = t[0];",
        "for (;;) {  t[n] = 1; } __syncthreads(); out[0] = t[0];",
    ),
    (
        "value from before",
        "enum {{ team = 256 }}; __global__ void k(int n) {{ {} }}",
        "int size = n < team ? n : team; look(team, n);",
        "int size = n < team ? n : team; look(size, n);",
    ),
    (
        "value from before",
        "#define TEAM 256\n__global__ void k(int n) {{ {} }}",
        "int size = n < TEAM ? n : TEAM; for (int s = 0; s < TEAM; ++s) a();",
        "int size = n < TEAM ? n : TEAM; for (int s = 0; s < size; ++s) a();",
    ),
    (
        "term missing",
        "#define H 4\n__global__ void k(const float* in, float* out, int n) {{ {} }}",
        "int p = n + q; out[0] = s(q + H);",
        "int p = n + q - H; out[0] = s(q + H);",
    ),
    (
        "axes exchanged",
        "__global__ void k(int* out) {{ out[blockIdx.{0}] = blockIdx.{1}; }} "
        "void f(int* out, int m, int n) {{ k<<<dim3({2}, {3}), 32>>>(out); }}",
        "x y m n",
        "y x n m",
    ),
]


@pytest.mark.parametrize(("kind", "around", "mistake", "right"), _MISTAKES)
def test_an_edit_takes_the_mistake_away(kind: str, around: str, mistake: str, right: str) -> None:
    code = parse(_filled(around, mistake))
    made = {
        edit.applied(code.text).decode(): edit.kind.name
        for edit in candidates.of(code, set(), set())
    }
    assert made.get(_filled(around, right)) == kind


def _filled(around: str, text: str) -> str:
    """The text in its place, or its words in theirs."""
    return around.format(*text.split()) if "{0}" in around else around.format(text)


def _place(
    text: str, wanted: str, lines: Set[int] = frozenset(), patterns: Set[str] = frozenset()
) -> int:
    """The place of an edit among all."""
    code = parse(text)
    return [one.applied(code.text).decode() for one in candidates.of(code, lines, patterns)].index(
        wanted
    )


def test_a_barrier_comes_to_the_end_of_the_outer_loop_rather_than_into_the_inner_one() -> None:
    text = _KERNEL.format("for (;;) { a(); for (;;) {\nb();\nc(); }\n}")
    inner = text.replace("b();", "b(); __syncthreads();")
    outer = text.replace("c(); }\n", "c(); } __syncthreads();\n")
    assert _place(text, outer, {2}) < _place(text, inner, {2})


def test_a_barrier_comes_to_the_end_of_a_loop_rather_than_to_its_beginning() -> None:
    loop = "for (;;) {{ a();{} b();{} }}"
    text = _KERNEL.format(loop.format("", ""))
    first = _KERNEL.format(loop.format(" __syncthreads();", ""))
    last = _KERNEL.format(loop.format("", " __syncthreads();"))
    assert _place(text, last) < _place(text, first)


def test_where_only_memory_fails_what_changes_results_comes_late() -> None:
    text = _KERNEL.format("int i = 0; if (i <= n) out[i] = in[i + 4];")
    comparison, operator = text.replace("<=", "<"), text.replace("i + 4", "i - 4")
    assert _place(text, comparison) < _place(text, operator)
    memory = {"bank_conflicts"}
    assert _place(text, comparison, patterns=memory) > _place(text, operator, patterns=memory)


def test_a_function_of_a_kernel_is_no_index() -> None:
    code = parse(
        _KERNEL.format("int i = 0; const auto g = [&](int j) { return j; }; out[i] = g(i);")
    )
    made = [one.applied(code.text).decode() for one in candidates.of(code, set(), set())]
    assert not any("out[g]" in one for one in made)


def test_sums_that_depend_on_the_order_are_not_mended_by_whole_numbers() -> None:
    code = parse(_KERNEL.format("float s = in[0]; atomicAdd(out, s);"))
    kinds = {one.kind.name for one in candidates.of(code, set(), {"rounding_order"})}
    assert "float for a whole number" not in kinds
    assert "float for a whole number" in {
        one.kind.name for one in candidates.of(code, set(), {"inexact"})
    }


def test_no_edit_exchanges_the_numbers_of_a_launch_against_a_race() -> None:
    code = parse("void f(int* out, int blocks, int block) { k<<<blocks, block>>>(out); }")
    swapped = "k<<<block, blocks>>>(out)"
    for patterns, is_tried in (({"launch_failed"}, True), ({"data_race"}, False)):
        made = [one.applied(code.text).decode() for one in candidates.of(code, set(), patterns)]
        assert any(swapped in one for one in made) == is_tried


@pytest.mark.parametrize(
    ("around", "text", "changed"),
    [
        # Neither does it tell what the last rounds stored, nor is it the only one.
        (_KERNEL, "for (;;) { __syncthreads(); a(); __syncthreads(); }", "barrier in a loop"),
        # Nothing between the two uses what the statement sets.
        (_KERNEL, "k = 1; a(); b(); c();", "a(); b(); k = 1;"),
        # A compiler refuses it.
        (
            "__device__ void g(int a, int b, float* c) {{ }} "
            "__global__ void k(float* in, int n) {{ {} }}",
            "g(n, 1, in);",
            "g(in, 1, n);",
        ),
        # The parameter has its use.
        (
            "__device__ void look(int base, int self) {{ {} }}",
            "for (int s = base; s < 8; ++s) if (s != self) a();",
            "base + s != self",
        ),
        # Fewer blocks hide a fault of the kernel.
        (_HOST, "int g = (n + 31) / 32; k<<<g, 32>>>(in, g);", "(g + 32 - 1) / 32"),
        ("void f(float* out, int n, int g) {{ {} }}", "k<<<g, 32>>>(out, n);", "(g + 32 - 1) / 32"),
        # The loop itself ends there.
        (
            "enum {{ some = 4, all = 8 }}; " + _KERNEL,
            "for (int k = 0; k < all; ++k) if (k < n) t[k] = 1; "
            "for (int k = 0; k < some; ++k) a();",
            "(k < n) && k < some",
        ),
        # The variable has nothing to do with the constant.
        ("enum {{ team = 256 }}; __global__ void k(int n) {{ {} }}", "int i = n; a(team);", "a(i)"),
    ],
)
def test_what_makes_no_sense_is_not_tried(around: str, text: str, changed: str) -> None:
    code = parse(around.format(text))
    edits = candidates.of(code, set(), set())
    assert not any(changed in one.applied(code.text).decode() for one in edits)
    assert changed not in {one.kind.name for one in edits}


def test_two_neighboring_lines_have_a_bounded_number_of_edits() -> None:
    lines = "\n".join(f"if (i <= n + {k}) a(j + i, i - j, n);" for k in range(60))
    code = parse(_KERNEL.format(f"int i = 0, j = 1; {lines}"))
    edits = candidates.of(code, set(), set())
    assert len(edits) < 4000


def test_a_size_of_tiles_is_no_term_that_is_missing() -> None:
    text = "constexpr int b = 8, halo = 2; " + _KERNEL.format(
        "int r = b + halo, s = n / b; int t = halo + b; if (r < n) a();"
    )
    code = parse(text)
    made = [one.applied(code.text).decode() for one in candidates.of(code, set(), set())]
    assert any("r < (n + halo)" in one for one in made)
    assert not any("r < (n + b)" in one for one in made)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        ("promise about a size", "cuda::memcpy_async(g, t, in, cuda::aligned_size_t<4>(n), p);"),
        ("copy of one thread", "cuda::memcpy_async(t, in, n, p);"),
    ],
)
def test_what_gets_another_type_changes_with_its_statement(kind: str, call: str) -> None:
    """In an expression it would be cast to the type that was there."""
    code = parse("#include <cooperative_groups.h>\n" + _KERNEL.format(call))
    edit = next(one for one in candidates.of(code, set(), set()) if one.kind.name == kind)
    found = sites.of(edit, code)
    assert found
    assert not any(one.is_expression for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "dim3 g; g.x = (n + 7) / 8; g.y = (n + 7) / 8; k<<<g, 8>>>(m);",
        "const dim3 g((n + 7) / 8, (n + 7) / 8); k<<<g, 8>>>(m);",
    ],
)
def test_a_size_that_stands_for_both_axes_is_likely_the_wrong_one(text: str) -> None:
    code = parse(f"void f(int n, int m) {{ {text} }}")
    found = {
        one.cost
        for one in candidates.of(code, set(), set())
        if one.kind.name == "wrong variable" and "(m + 7) / 8" in one.applied(code.text).decode()
    }
    assert min(found) < 0.7


def test_an_else_is_chosen_with_its_branch() -> None:
    code = parse(_TILE.format("int i = threadIdx.x; if (i < n) t[i] = in[i]; __syncthreads();"))
    found = candidates.of(code, set(), set())
    edit = next(one for one in found if one.kind.name == "empty slot")
    (site,) = sites.of(edit, code) or ()
    assert site.text == "if (i < n) t[i] = in[i]; else t[i] = {};"


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ((4, 8), [2, 7]),  # all are only the ends of blocks
        ((3, 4), [2]),  # of the same block
        ((4, 7), [4, 7]),
        ((4,), [4]),
    ],
)
def test_causes_at_the_ends_of_blocks_name_the_last_statements(
    lines: tuple[int, ...], named: list[int]
) -> None:
    code = parse("for (;;) { if (n) {\na();\n}\n}\nb();\nfor (;;) {\nc();  // last\n}\n")
    edits = [Edit(Kind(f"kind {line}", "?", "."), line, "}", ()) for line in lines]
    assert [one.line for one in chosen.of(edits, code)] == named


@pytest.mark.parametrize(
    "text",
    [
        "__constant__ float c[9 / 2] = {1, 2, 3, 4};",
        "float half(const float* t) { return t[9 / 2]; }",
        "void f(float* d) { k<<<9 / 2, 32>>>(d); g<9 / 2>(d); float* p = new float[9 / 2]; }",
        "constexpr int half = 9 / 2; const std::size_t bytes = 9 / 2 * sizeof(float);",
        "int f(int i) { switch (i) { case 9 / 2: return 1; } return i % (9 / 2); }",
        "float f() { return 8 / 4; }",  # nothing is lost
        "float f() { return 8 / 0; }",
    ],
)
def test_a_quotient_that_has_to_be_whole_stays_whole(text: str) -> None:
    edits = candidates.of(parse(text), set(), set())
    assert "fraction of whole numbers" not in {one.kind.name for one in edits}


def test_fractions_are_mended_beside_quotients_that_stay_whole() -> None:
    text = "__constant__ float c[9 / 3] = {{}, -1 / 5, {}};\nfloat w[8 / 3], v = 4 / 105;"
    right = text.replace("-1 /", "-1.0f /").replace("4 /", "4.0f /")
    edits = candidates.of(parse(text), set(), set())
    [mended] = [one for one in edits if one.kind.name == "fraction of whole numbers"]
    assert mended.applied(text.encode()).decode() == right


@pytest.mark.parametrize(
    "text",
    [
        "void f(int n) { k<<<n, (n + 1)>>>(); k<<<(n), dim3(8, 8)>>>(); }",
        "__global__ void k(int n) { int best = 0; for (int j = 0; j < n; ++j) best += j; }",
        "void f(const float* in, int n, float h) { k<<<1, 32>>>(in, 1 / n, n); }",
        "cudaError_t f(const float* x, int n) { float *a, *b; cudaMalloc(&a, n); cudaMalloc(&b, n);"
        " cudaMemcpy(a, x, n, cudaMemcpyHostToDevice);"
        " cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice); }",
        "__global__ void k(int n) { for (int s = 0; s < n; s += 64) a(); a(blockIdx.x); }",
        "void f(int n) { int half = n / 2; k<<<n, 32>>>(half); }",
    ],
)
def test_what_is_no_mistake_of_these_kinds_gets_no_such_edit(text: str) -> None:
    kinds = {
        "dim3 forgotten", "start of a search", "reciprocal", "copy missing",
        "slots of the last tile",
    }  # fmt: skip
    edits = candidates.of(parse(text), set(), set())
    assert kinds.isdisjoint(one.kind.name for one in edits)


@pytest.mark.parametrize("pattern", ["shared_passes", "bank_conflicts", "shared_wavefronts"])
def test_padding_is_tried_early_where_only_banks_are_wrong(pattern: str) -> None:
    text = (
        "__global__ void k(float* out) { __shared__ float t[32][32]; int x = threadIdx.x; "
        "t[x][threadIdx.y] = 1; __syncthreads(); out[x] = t[threadIdx.y][x]; }"
    )
    assert _place(text, text.replace("[32][32]", "[32][32 + 1]"), patterns={pattern}) < 10


def test_a_grid_that_is_turned_comes_before_a_kernel_that_is() -> None:
    text = (
        "__global__ void k(float* out, int m, int n) { int c = blockIdx.x * 32 + threadIdx.x, "
        "r = blockIdx.y * 32 + threadIdx.y; if (r < m && c < n) out[r * n + c] = 1; }\n"
        "void f(float* out, int m, int n) { int a = m / 32, b = n / 32; dim3 blocks(a, b); "
        "k<<<blocks, dim3(32, 32)>>>(out, m, n); }"
    )
    assert _place(text, text.replace("(a, b)", "(b, a)"), patterns={"some_unwritten"}) < 10


def test_a_grid_is_turned_in_its_kernel_too() -> None:
    text = (
        "__global__ void k(int n) { int i = blockIdx.x % n, j = blockIdx.x / n, k = blockIdx.y; }\n"
        "void f(int n) { dim3 g(2, n); k<<<g, 32>>>(n); }"
    )
    right = (
        "__global__ void k(int n) { int i = blockIdx.y % n, j = blockIdx.y / n, k = blockIdx.x; }\n"
        "void f(int n) { dim3 g(n, 2); k<<<g, 32>>>(n); }"
    )
    assert _place(text, right, patterns={"launch_failed"}) < 16


@pytest.mark.parametrize(
    ("fill", "cost"),
    [
        ("if (t + x < n) tile[x] = in[t + x];", 0.8),
        ("if (t + x < n) { tile[x] = in[t + x]; }", 0.8),
        ("tile[x] = t + x < n ? in[t + x] : 1e9f;", 0.9),
        ("float own = 1e9f; if (t + x < n) own = in[t + x]; tile[x] = own;", 0.9),
    ],
)
def test_a_tile_that_all_threads_fill_is_seldom_read_too_far(fill: str, cost: float) -> None:
    text = (
        "__global__ void k(float* in, int n) { __shared__ float tile[64]; int x = threadIdx.x; "
        f"for (int t = 0; t < n; t += 64) {{ {fill} __syncthreads(); "
        "for (int s = 0; s < 64; ++s) a(tile[s]); __syncthreads(); } }"
    )
    edits = candidates.of(parse(text), set(), set())
    costs = [round(one.cost, 2) for one in edits if one.kind.name == "slots of the last tile"]
    assert min(costs) == cost

// CAUSE: The guard of b compares the lane instead of the line with k, so rows past the end of b are loaded and some elements of the last tile are left out. Besides, the results go to rows strip * 4 + q, though accumulator q belongs to row strip + 8 * q.
// LINES: 30 47
// REPAIR: line 30: `base + lane < k` -> `base + line < k`; line 47: `strip * kPer + q` -> `strip + q * kStrips`
// SYMPTOM: Rows of the result change places in every tile, and b is read out of bounds where k is not a multiple of 32.

#include "matmul.h"

namespace {

constexpr int kEdge = 32;
constexpr int kPer = 4;
constexpr int kStrips = kEdge / kPer;
constexpr int kPitch = kEdge + 1;

__global__ void __launch_bounds__(kEdge* kStrips)
    gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
         int n, int k) {
  __shared__ float left[kEdge * kPitch];
  __shared__ float right[kEdge * kPitch];
  const int lane = threadIdx.x % kEdge, strip = threadIdx.x / kEdge;
  const int top = blockIdx.y * kEdge;
  const int column = blockIdx.x * kEdge + lane;
  float acc[kPer] = {};

  for (int base = 0; base < k; base += kEdge) {
#pragma unroll
    for (int q = 0; q < kPer; ++q) {
      const int line = strip + q * kStrips;
      const bool has_a = top + line < m && base + lane < k;
      const bool has_b = base + lane < k && column < n;
      left[line * kPitch + lane] = has_a ? a[(top + line) * k + base + lane] : 0.f;
      right[line * kPitch + lane] = has_b ? b[(base + line) * n + column] : 0.f;
    }
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < kEdge; ++i) {
      const float factor = right[i * kPitch + lane];
#pragma unroll
      for (int q = 0; q < kPer; ++q) acc[q] += left[(strip + q * kStrips) * kPitch + i] * factor;
    }
    __syncthreads();
  }

  if (column >= n) return;
#pragma unroll
  for (int q = 0; q < kPer; ++q) {
    const int row = top + strip * kPer + q;
    if (row < m) c[row * n + column] = acc[q];
  }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const auto tiles = [](int length) { return static_cast<unsigned>((length + kEdge - 1) / kEdge); };
  if (m == 0 || n == 0) return;
  gemm<<<dim3(tiles(n), tiles(m)), kEdge * kStrips>>>(a, b, c, m, n, k);
}

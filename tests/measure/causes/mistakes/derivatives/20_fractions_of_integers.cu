// CAUSE: the coefficients are quotients of integers, and in C 4 / 5 is 0, as are the other three
// LINES: 14
// REPAIR: 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280
// GOOD HINT: What does printf("%f", (float)(4 / 5)) print?
// SYMPTOM: all derivatives are 0

#include "derivatives.h"

namespace {

constexpr int R = 4;
constexpr int W = 32, L = 32, H = 8;

__constant__ float weight[R] = {4 / 5, -1 / 5, 4 / 105, -1 / 280};

__device__ int periodic(int j, int m) { return j < 0 ? j + m - 1 : j >= m ? j - (m - 1) : j; }

// `wide` points side by side, `m` along the axis, which are `wide` apart, in `planes` planes.
__global__ void derivative(const float* f, float* df, int wide, int m, float h) {
  __shared__ float s[L + 2 * R][W];
  const int across = (wide + W - 1) / W, along = (m + L - 1) / L;
  const int column = blockIdx.x % across * W + threadIdx.x;
  const int start = blockIdx.x / across % along * L;
  const int plane = blockIdx.x / across / along;
  f += plane * wide * m;
  df += plane * wide * m;
  if (column < wide) {
    for (int r = threadIdx.y; r < L + 2 * R; r += H) {
      const int j = start - R + r;
      if (j < m + R) s[r][threadIdx.x] = f[periodic(j, m) * wide + column];
    }
  }
  __syncthreads();
  if (column < wide) {
    for (int r = threadIdx.y; r < L && start + r < m; r += H) {
      float d = 0;
      for (int q = 1; q <= R; ++q)
        d += weight[q - 1] * (s[r + R + q][threadIdx.x] - s[r + R - q][threadIdx.x]);
      df[(start + r) * wide + column] = d / h;
    }
  }
}

void run(const float* f, float* df, int wide, int m, int planes, float h) {
  const int blocks = ((wide + W - 1) / W) * ((m + L - 1) / L) * planes;
  derivative<<<blocks, dim3(W, H)>>>(f, df, wide, m, h);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, mx * my, mz, 1, spacing);
}

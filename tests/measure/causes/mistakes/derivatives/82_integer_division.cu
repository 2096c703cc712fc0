// CAUSE: The last coefficient is written as -1 / 280, a division of two integers, which is 0. So the neighbors at distance 4 do not count at all. One of the two numbers has to be a float: -1 / 280.f.
// LINES: 14
// REPAIR: line 14: `__constant__ float coef[R] = {4 / 5.f, -1 / 5.f, 4 / 105.f, -1 / 280};` -> `__constant__ float coef[R] = {4 / 5.f, -1 / 5.f, 4 / 105.f, -1 / 280.f};`
// SYMPTOM: The derivatives are nearly right, but the error on waves falls with a lower order than eight.

#include "derivatives.h"

namespace {

const int R = 4;
const int W = 32, L = 32;  // a tile
const int BY = 8;

__constant__ float coef[R] = {4 / 5.f, -1 / 5.f, 4 / 105.f, -1 / 280};

// the same kernel for y and z: pencils of m points that are `pitch` apart
__global__ void derivativeAlong(const float* f, float* df, int width, int m, int pitch,
                                float perSpacing) {
  __shared__ float cells[L + 2 * R][W + 1];

  int across = (width + W - 1) / W;
  int along = (m + L - 1) / L;
  int plane = blockIdx.x / (across * along);
  int rest = blockIdx.x - plane * across * along;
  int ti = rest % across;
  int tj = rest / across;

  int i = ti * W + threadIdx.x;
  f += plane * width * m;
  df += plane * width * m;

  for (int r = threadIdx.y; r < L + 2 * R; r += BY) {
    int j = tj * L + r - R;
    if (j < 0) j = j + m - 1;
    else if (j >= m) j = j - (m - 1);
    if (i < width && j < m) cells[r][threadIdx.x] = f[j * pitch + i];
  }
  __syncthreads();

  for (int r = threadIdx.y; r < L; r += BY) {
    int j = tj * L + r;
    if (i < width && j < m) {
      float result = 0;
      for (int d = 1; d <= R; d++) {
        float after = cells[r + R + d][threadIdx.x];
        float before = cells[r + R - d][threadIdx.x];
        result += coef[d - 1] * (after - before);
      }
      df[j * pitch + i] = result * perSpacing;
    }
  }
}

int ceilDiv(int a, int b) { return (a + b - 1) / b; }

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  int blocks = ceilDiv(mx, W) * ceilDiv(my, L) * mz;
  derivativeAlong<<<blocks, dim3(W, BY)>>>(f, df, mx, my, mx, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  int blocks = ceilDiv(mx * my, W) * ceilDiv(mz, L);
  derivativeAlong<<<blocks, dim3(W, BY)>>>(f, df, mx * my, mz, mx * my, 1 / spacing);
}

// The derivative along y has a block for each point along y, and a grid has no more than 65,535.
// Lab: derivatives
// Verdict: graded
// Earns: correctness 36.67, safety 10
// Says: mx, my, mz = 9, 65540, 9

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int block_x = 32, block_y = 8;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

// At one place of a pencil: m points that lie `stride` apart.
__device__ float derivative(const float* pencil, int place, int m, int stride, float scale) {
  float sum = 0;
  for (int d = 1; d <= halo; ++d) {
    const float right = pencil[wrap(place + d, m) * stride];
    const float left = pencil[wrap(place - d, m) * stride];
    sum += coefficient[d] * (right - left);
  }
  return sum * scale;
}

__global__ void derivative_y_kernel(const float* f, float* df, int mx, int my, int mz,
                                    float scale) {
  const int i = blockIdx.x * block_x + threadIdx.x;
  if (i >= mx) return;
  const int j = blockIdx.y;
  for (int k = blockIdx.z; k < mz; k += gridDim.z) {
    const int start = k * my * mx + i;
    df[start + j * mx] = derivative(f + start, j, my, mx, scale);
  }
}

__global__ void derivative_z_kernel(const float* f, float* df, int mx, int my, int mz,
                                    float scale) {
  const int i = blockIdx.x * block_x + threadIdx.x;
  if (i >= mx) return;
  for (int k = blockIdx.z; k < mz; k += gridDim.z) {
    for (int j = blockIdx.y * block_y + threadIdx.y; j < my; j += gridDim.y * block_y) {
      const int start = j * mx + i;
      df[start + k * my * mx] = derivative(f + start, k, mz, my * mx, scale);
    }
  }
}

int at_most(int limit, int blocks) { return blocks < limit ? blocks : limit; }

dim3 blocks_for(int mx, int my, int mz) {
  constexpr int most = 65535;
  return dim3((mx + block_x - 1) / block_x, at_most(most, (my + block_y - 1) / block_y),
              at_most(most, mz));
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const dim3 grid((mx + block_x - 1) / block_x, my, at_most(65535, mz));
  derivative_y_kernel<<<grid, block_x>>>(f, df, mx, my, mz, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const dim3 block(block_x, block_y);
  derivative_z_kernel<<<blocks_for(mx, my, mz), block>>>(f, df, mx, my, mz, 1 / spacing);
}

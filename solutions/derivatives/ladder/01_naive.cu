// Step 1: no shared memory. One thread per point loads the eight neighbors from global memory.
//
// Per point: 8 loads, 1 store. DRAM still moves little more than 8 bytes (4 in, 4 out), because a
// cache has what neighboring threads loaded before: along y mostly L1, since the eight rows of a
// block share their neighbors; along z L2, since the threads of a block lie in one plane. From L2
// the z kernel takes 8 x 4 bytes per point.
//
// Many issue slots go into addresses: each of the eight places is compared with both ends of the
// axis.
// Misses: memory

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

__device__ float derivative(const float* pencil, int place, int m, int stride, float scale) {
  float sum = 0;
  for (int d = 1; d <= halo; ++d) {
    const float right = pencil[wrap(place + d, m) * stride];
    const float left = pencil[wrap(place - d, m) * stride];
    sum += coefficient[d] * (right - left);
  }
  return sum * scale;
}

// A grid of blocks has at most 65,535 in y and z, so a thread may have more than one point.
template <bool along_y>
__global__ void derivative_kernel(const float* f, float* df, int mx, int my, int mz, float scale) {
  const int i = blockIdx.x * block_x + threadIdx.x;
  if (i >= mx) return;
  for (int k = blockIdx.z; k < mz; k += gridDim.z) {
    for (int j = blockIdx.y * block_y + threadIdx.y; j < my; j += gridDim.y * block_y) {
      const int point = (k * my + j) * mx + i;
      df[point] = along_y ? derivative(f + k * my * mx + i, j, my, mx, scale)
                          : derivative(f + j * mx + i, k, mz, mx * my, scale);
    }
  }
}

unsigned limited(int blocks) { return blocks < 65535 ? blocks : 65535; }

template <bool along_y>
void derivative(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const dim3 grid((mx + block_x - 1) / block_x, limited((my + block_y - 1) / block_y), limited(mz));
  derivative_kernel<along_y><<<grid, dim3(block_x, block_y)>>>(f, df, mx, my, mz, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative<true>(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative<false>(f, df, mx, my, mz, spacing);
}

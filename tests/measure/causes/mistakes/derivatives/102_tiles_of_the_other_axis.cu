// CAUSE: The launch for z counts the tiles along y: the number of points along the axis is mz, not my.
// LINES: 68
// REPAIR: line 68: `const int blocks = ceil_div(mx, tile_x) * ceil_div(my, tile_a) * my;` -> `const int blocks = ceil_div(mx, tile_x) * ceil_div(mz, tile_a) * my;`
// SYMPTOM: Along z the end of each pencil is missing, or tiles come past it, where my and mz are not in as many tiles.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tile_x = 32, tile_a = 64;  // along x, and along the axis of the derivative
constexpr int rows = 8;

__constant__ float weight[halo + 1] = {0.0f, 0.8f, -0.2f, 4.0f / 105.0f, -1.0f / 280.0f};

__device__ int inside(int place, int m) {
  const int period = m - 1;
  return place < 0 ? place + period : (place < m ? place : place - period);
}

__host__ __device__ int ceil_div(int a, int b) { return (a + b - 1) / b; }

template <bool along_z>
__global__ void derivative_kernel(const float* __restrict__ f, float* __restrict__ df, int mx,
                                  int my, int mz, float scale) {
  __shared__ float tile[tile_a + 2 * halo][tile_x];
  const int m = along_z ? mz : my;
  const int step = along_z ? mx * my : mx;
  const int plane_step = along_z ? mx : mx * my;

  const int tiles_x = ceil_div(mx, tile_x);
  const int tiles_a = ceil_div(m, tile_a);
  int number = blockIdx.x;
  const int i = number % tiles_x * tile_x + threadIdx.x;
  number /= tiles_x;
  const int first = number % tiles_a * tile_a;
  const int origin = number / tiles_a * plane_step + i;

  if (i < mx) {
    for (int r = threadIdx.y; r < tile_a + 2 * halo; r += rows) {
      const int place = first - halo + r;
      if (place < m + halo) tile[r][threadIdx.x] = f[origin + inside(place, m) * step];
    }
  }
  __syncthreads();
  if (i >= mx) return;

  for (int r = threadIdx.y; r < tile_a && first + r < m; r += rows) {
    float sum = 0;
#pragma unroll
    for (int d = 1; d <= halo; ++d) {
      const float up = tile[r + halo + d][threadIdx.x];
      const float down = tile[r + halo - d][threadIdx.x];
      sum += weight[d] * (up - down);
    }
    df[origin + (first + r) * step] = sum * scale;
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int blocks = ceil_div(mx, tile_x) * ceil_div(my, tile_a) * mz;
  derivative_kernel<false><<<blocks, dim3(tile_x, rows)>>>(f, df, mx, my, mz, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int blocks = ceil_div(mx, tile_x) * ceil_div(my, tile_a) * my;
  derivative_kernel<true><<<blocks, dim3(tile_x, rows)>>>(f, df, mx, my, mz, 1 / spacing);
}

// CAUSE: derivative_y puts the mz planes into the z direction of the grid, which has room for 65,535 blocks at most, but mz may be larger.
// LINES: 61
// REPAIR: line 61: `const dim3 grid(across * along, 1, mz);` -> `const dim3 grid(across * along * mz);`
// SYMPTOM: For mz > 65535 the launch fails (invalid configuration), and df is not written.

#include "derivatives.h"

// Pencils of 64 points in tiles of 32 of them. The x-y tiles of derivative_y and the x-z tiles of
// derivative_z differ only in the distances, which the kernel gets as arguments.

namespace {

constexpr int halo = 4;
constexpr int width = 32;
constexpr int length = 64;
constexpr int rows = 8;

__device__ float eighth_order(const float (*c)[width], int x) {
  return 4.0f / 5 * (c[1][x] - c[-1][x]) - 1.0f / 5 * (c[2][x] - c[-2][x]) +
         4.0f / 105 * (c[3][x] - c[-3][x]) - 1.0f / 280 * (c[4][x] - c[-4][x]);
}

__device__ void derive_tile(const float* f, float* df, int columns, int first, int m, int stride,
                            float scale) {
  __shared__ float tile[length + 2 * halo][width];
  const int x = threadIdx.x;
  const int slots = min(length, m - first) + 2 * halo;
  if (x < columns) {
    for (int slot = threadIdx.y; slot < slots; slot += rows) {
      int place = first - halo + slot;
      if (place < 0) {
        place += m - 1;
      } else if (place >= m) {
        place -= m - 1;
      }
      tile[slot][x] = f[place * stride + x];
    }
  }
  __syncthreads();
  if (x < columns) {
    for (int slot = halo + threadIdx.y; slot < slots - halo; slot += rows)
      df[(first - halo + slot) * stride + x] = scale * eighth_order(tile + slot, x);
  }
}

__global__ void derivative_kernel(const float* f, float* df, int mx, int m, int stride,
                                  int plane_stride, int across, int along, float scale) {
  const int tile = blockIdx.x % (across * along);
  const int plane = blockIdx.x / (across * along) + blockIdx.z;
  const int i = tile % across * width;
  const int offset = plane * plane_stride + i;
  derive_tile(f + offset, df + offset, mx - i, tile / across * length, m, stride, scale);
}

int divide_up(int a, int b) { return (a + b - 1) / b; }

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int across = divide_up(mx, width), along = divide_up(my, length);
  const dim3 grid(across * along, 1, mz);
  derivative_kernel<<<grid, dim3(width, rows)>>>(f, df, mx, my, mx, mx * my, across, along,
                                                 1.0f / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int across = divide_up(mx, width), along = divide_up(mz, length);
  const dim3 grid(across * along * my);
  derivative_kernel<<<grid, dim3(width, rows)>>>(f, df, mx, mz, mx * my, mx, across, along,
                                                 1.0f / spacing);
}

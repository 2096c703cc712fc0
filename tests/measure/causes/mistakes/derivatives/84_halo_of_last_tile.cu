// CAUSE: A place is loaded only if it is left of m. But the last points of the grid need four more places to their right, m to m + 3, which wrap around to 1 to 4. These slots stay empty; the guard has to be place < m + halo.
// LINES: 31
// REPAIR: line 31: `if (place < m) tile[r][threadIdx.x] = f[index(back_into_grid(place, m))];` -> `if (place < m + halo) tile[r][threadIdx.x] = f[index(back_into_grid(place, m))];`
// SYMPTOM: Reads of shared memory that nobody wrote, and wrong derivatives at the last four points of each pencil.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int tx = 32;
constexpr int ty = 8;
constexpr int tile_len = 64;

__constant__ float c[halo] = {4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int back_into_grid(int place, int m) {
  while (place < 0) place += m - 1;
  while (place >= m) place -= m - 1;
  return place;
}

template <typename Index>
__device__ void tile_derivative(const float* f, float* df, bool exists, int first, int m,
                                Index index, float scale) {
  __shared__ float tile[halo + tile_len + halo][tx];

  if (exists) {
    for (int r = threadIdx.y; r < tile_len + 2 * halo; r += ty) {
      const int place = first + r - halo;
      if (place < m) tile[r][threadIdx.x] = f[index(back_into_grid(place, m))];
    }
  }
  __syncthreads();
  if (!exists) return;
  for (int r = threadIdx.y; r < tile_len; r += ty) {
    if (first + r >= m) break;
    float sum = 0;
    for (int d = 1; d <= halo; ++d) {
      const float difference =
          tile[halo + r + d][threadIdx.x] - tile[halo + r - d][threadIdx.x];
      sum += c[d - 1] * difference;
    }
    df[index(first + r)] = scale * sum;
  }
}

__global__ void kernel_y(const float* f, float* df, int mx, int my, int tiles_i, int tiles_j,
                         float scale) {
  const int i = blockIdx.x % tiles_i * tx + threadIdx.x;
  const int first = blockIdx.x / tiles_i % tiles_j * tile_len;
  const int k = blockIdx.x / (tiles_i * tiles_j);
  tile_derivative(
      f, df, i < mx, first, my, [=](int j) { return (k * my + j) * mx + i; }, scale);
}

__global__ void kernel_z(const float* f, float* df, int mx, int my, int mz, int tiles_i,
                         int tiles_k, float scale) {
  const int i = blockIdx.x % tiles_i * tx + threadIdx.x;
  const int first = blockIdx.x / tiles_i % tiles_k * tile_len;
  const int j = blockIdx.x / (tiles_i * tiles_k);
  tile_derivative(
      f, df, i < mx, first, mz, [=](int k) { return (k * my + j) * mx + i; }, scale);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_i = (mx + tx - 1) / tx, tiles_j = (my + tile_len - 1) / tile_len;
  kernel_y<<<tiles_i * tiles_j * mz, dim3(tx, ty)>>>(f, df, mx, my, tiles_i, tiles_j, 1 / spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int tiles_i = (mx + tx - 1) / tx, tiles_k = (mz + tile_len - 1) / tile_len;
  kernel_z<<<tiles_i * tiles_k * my, dim3(tx, ty)>>>(f, df, mx, my, mz, tiles_i, tiles_k,
                                                     1 / spacing);
}

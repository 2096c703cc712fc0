// CAUSE: 4 / 105 is a division of integers and gives 0, so the neighbors at distance 3 do not count.
// LINES: 12
// REPAIR: line 12: `__constant__ float weight[radius] = {4.0f / 5, -1.0f / 5, 4 / 105, -1.0f / 280};` -> `__constant__ float weight[radius] = {4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};`
// SYMPTOM: Derivatives of smooth fields are 23% too small, along y and z; constant fields give 0, as they should.
#include "derivatives.h"

namespace {

constexpr int radius = 4;
constexpr int pencils = 32, points = 64, rows = 8;

__constant__ float weight[radius] = {4.0f / 5, -1.0f / 5, 4 / 105, -1.0f / 280};

__device__ int inside(int place, int m) {
  const int period = m - 1;
  return place < 0 ? place + period : place < m ? place : place - period;
}

// A pencil has `m` points, `width` apart. Lines of `width` pencils make a plane.
__global__ void derivative(const float* f, float* df, int width, int m, float scale) {
  __shared__ float tile[points + 2 * radius][pencils];

  const int across = (width + pencils - 1) / pencils;
  const int along = (m + points - 1) / points;
  int number = blockIdx.x;
  const int column = number % across * pencils + threadIdx.x;
  number /= across;
  const int first = number % along * points;
  number /= along;
  const int plane = number * width * m;

  if (column < width) {
    for (int r = threadIdx.y; r < points + 2 * radius; r += rows) {
      const int place = first - radius + r;
      if (place >= m + radius) break;
      tile[r][threadIdx.x] = f[plane + inside(place, m) * width + column];
    }
  }
  __syncthreads();

  if (column >= width) return;
  for (int r = threadIdx.y; r < points && first + r < m; r += rows) {
    float result = 0;
#pragma unroll
    for (int d = 1; d <= radius; ++d) {
      const float after = tile[radius + r + d][threadIdx.x];
      const float before = tile[radius + r - d][threadIdx.x];
      result += weight[d - 1] * (after - before);
    }
    df[plane + (first + r) * width + column] = result * scale;
  }
}

void start(const float* f, float* df, int width, int m, int planes, float spacing) {
  const int across = (width + pencils - 1) / pencils, along = (m + points - 1) / points;
  derivative<<<across * along * planes, dim3(pencils, rows)>>>(f, df, width, m, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  start(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  start(f, df, mx * my, mz, 1, spacing);
}

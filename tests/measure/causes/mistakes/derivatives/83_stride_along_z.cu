// CAUSE: Neighbors along z are mx * my points apart, but derivative_z calls the kernel with a stride of mx * mz.
// LINES: 76
// REPAIR: line 76: `run(f, df, {mx, mz, mx * mz, mx, my}, spacing);` -> `run(f, df, {mx, mz, mx * my, mx, my}, spacing);`
// SYMPTOM: derivative_y is right; derivative_z is wrong or accesses memory outside of the arrays, unless my equals mz.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int wide = 32;
constexpr int deep = 64;
constexpr int rows = 8;
constexpr int slots = halo + deep + halo;

__constant__ float weight[5] = {0.0f, 0.8f, -0.2f, 4.0f / 105, -1.0f / 280};

// Geometry of one derivative. A slab is a plane that contains x and the axis.
struct Slabs {
  int mx;           // points along x
  int m;            // points along the axis
  int axis_stride;  // from point to point along the axis
  int slab_stride;  // from slab to slab
  int count;        // how many slabs
};

__device__ __forceinline__ int wrapped(int place, int m) {
  const int period = m - 1;
  return place < 0 ? place + period : place >= m ? place - period : place;
}

__global__ void slab_kernel(const float* f, float* df, Slabs g, float scale) {
  __shared__ float tile[slots][wide];
  const int tiles_x = (g.mx + wide - 1) / wide;
  const int tiles_m = (g.m + deep - 1) / deep;
  const int tile_x = blockIdx.x % tiles_x;
  const int tile_m = blockIdx.x / tiles_x % tiles_m;
  const int slab = blockIdx.x / tiles_x / tiles_m;

  const int x = tile_x * wide + threadIdx.x;
  const int begin = tile_m * deep;
  const int origin = slab * g.slab_stride + x;
  const int points = min(deep, g.m - begin);

  if (x < g.mx) {
    for (int s = threadIdx.y; s < points + 2 * halo; s += rows) {
      tile[s][threadIdx.x] = f[origin + wrapped(begin + s - halo, g.m) * g.axis_stride];
    }
  }
  __syncthreads();
  if (x < g.mx) {
    for (int p = threadIdx.y; p < points; p += rows) {
      float sum = 0;
#pragma unroll
      for (int d = 1; d <= halo; ++d) {
        sum += weight[d] * (tile[p + halo + d][threadIdx.x] - tile[p + halo - d][threadIdx.x]);
      }
      df[origin + (begin + p) * g.axis_stride] = sum * scale;
    }
  }
}

void run(const float* f, float* df, Slabs g, float spacing) {
  const int tiles_x = (g.mx + wide - 1) / wide;
  const int tiles_m = (g.m + deep - 1) / deep;
  slab_kernel<<<tiles_x * tiles_m * g.count, dim3(wide, rows)>>>(f, df, g, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, {mx, my, mx, mx * my, mz}, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  run(f, df, {mx, mz, mx * mz, mx, my}, spacing);
}

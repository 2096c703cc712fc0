// CAUSE: Two mistakes. (1) The planes are counted in the z direction of the grid of blocks, which has at most 65,535 blocks, but mz may be larger: the launch fails then. (2) The store asks only for i < mx, not for a point along the axis, so the last tile also stores past the end of the pencil.
// LINES: 27 42 51
// REPAIR: line 27: `const int column = blockIdx.x, row = blockIdx.y, plane = blockIdx.z;` -> `const int columns = (side + WID - 1) / WID, rows = (line.m + LEN - 1) / LEN; const int column = blockIdx.x % columns, row = blockIdx.x / columns % rows; const int plane = blockIdx.x / columns / rows;`; line 42: `if (i < side) {` -> `if (i < side && first + r < line.m) {`; line 51: `const dim3 blocks(columns, rows, planes);` -> `const int blocks = columns * rows * planes;`
// SYMPTOM: derivative_y: for mz above 65,535 nothing is computed (invalid configuration). Both: unless the length is a multiple of 64, points of the next plane (or memory past the end) are overwritten.

#include "derivatives.h"

namespace {

constexpr int HALO = 4, LEN = 64, WID = 32, THY = 8;

struct Line {
  int m;       // points
  int stride;  // distance of neighbors
};

__device__ float stencil(const float* center) {
  float d1 = center[1 * WID] - center[-1 * WID];
  float d2 = center[2 * WID] - center[-2 * WID];
  float d3 = center[3 * WID] - center[-3 * WID];
  float d4 = center[4 * WID] - center[-4 * WID];
  return 4.f / 5 * d1 - 1.f / 5 * d2 + 4.f / 105 * d3 - 1.f / 280 * d4;
}

__global__ void ddline(const float* f, float* df, Line line, int side, float inv) {
  __shared__ float t[LEN + 2 * HALO][WID];
  const int column = blockIdx.x, row = blockIdx.y, plane = blockIdx.z;
  const int i = column * WID + threadIdx.x;
  const int first = row * LEN;
  const int corner = plane * side * line.m + i;

  for (int r = threadIdx.y; r < LEN + 2 * HALO; r += THY) {
    int p = first - HALO + r;
    if (i >= side || p >= line.m + HALO) continue;
    if (p < 0) p += line.m - 1;
    if (p >= line.m) p -= line.m - 1;
    t[r][threadIdx.x] = f[corner + p * line.stride];
  }
  __syncthreads();

  for (int r = threadIdx.y; r < LEN; r += THY) {
    if (i < side) {
      df[corner + (first + r) * line.stride] = inv * stencil(&t[r + HALO][threadIdx.x]);
    }
  }
}

void start(const float* f, float* df, Line line, int side, int planes, float spacing) {
  const int columns = (side + WID - 1) / WID;
  const int rows = (line.m + LEN - 1) / LEN;
  const dim3 blocks(columns, rows, planes);
  ddline<<<blocks, dim3(WID, THY)>>>(f, df, line, side, 1.f / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  start(f, df, {my, mx}, mx, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  start(f, df, {mz, mx * my}, mx * my, 1, spacing);
}

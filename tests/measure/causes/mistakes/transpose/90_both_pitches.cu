// CAUSE: The result is stored with rows of `width` elements, but a row of the result has `height` of them. And the buffer is read as if its rows had 32 slots, without the spare one that they were stored with.
// LINES: 34 35
// REPAIR: line 34: `kEdge)]` -> `kPitch)]`; line 35: `width)]` -> `height)]`
// SYMPTOM: Wrong elements are taken from the buffer, and results of matrices that are not square land in the wrong place.

#include "transpose.h"

#define IDX(row, column, pitch) ((row) * (pitch) + (column))

static constexpr int kEdge = 32;
static constexpr int kStep = 4;
static constexpr int kPitch = kEdge + 1;

template <typename Visit>
static __device__ void visit(int firstRow, int firstColumn, int rowCount, int columnCount,
                             Visit&& action) {
  const int lane = threadIdx.x % kEdge;
  if (firstColumn + lane >= columnCount) return;
  const int end = rowCount - firstRow < kEdge ? rowCount - firstRow : kEdge;
  for (int r = threadIdx.x / kEdge; r < end; r += kStep) action(r, lane);
}

static __global__ void flip(const float* __restrict__ source, float* __restrict__ target,
                            int height, int width) {
  __shared__ float buffer[kEdge * kPitch];
  const int across = (width + kEdge - 1) / kEdge;
  const int sourceRow = blockIdx.x / across * kEdge, sourceColumn = blockIdx.x % across * kEdge;

  visit(sourceRow, sourceColumn, height, width, [&](int r, int c) {
    buffer[IDX(r, c, kPitch)] = source[IDX(sourceRow + r, sourceColumn + c, width)];
  });
  __syncthreads();
  visit(sourceColumn, sourceRow, width, height, [&](int r, int c) {
    const float value = buffer[IDX(c, r, kEdge)];
    target[IDX(sourceColumn + r, sourceRow + c, width)] = value;
  });
}

void transpose(const float* in, float* out, int rows, int columns) {
  const int tiles = (rows + kEdge - 1) / kEdge * ((columns + kEdge - 1) / kEdge);
  if (tiles > 0) flip<<<tiles, kEdge * kStep>>>(in, out, rows, columns);
}

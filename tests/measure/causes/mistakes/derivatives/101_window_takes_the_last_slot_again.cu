// CAUSE: When the window of nine moves on by one, its new last place is p + halo + 1. The thread loads p + halo again, which the window holds already.
// LINES: 56
// REPAIR: line 56: `if (p + 1 < end) window[width - 1] = pencil.at(p + halo);` -> `if (p + 1 < end) window[width - 1] = pencil.at(p + halo + 1);`
// SYMPTOM: All derivatives are wrong but the first of each thread.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int width = 2 * halo + 1;
constexpr int points = 32;  // that a thread has, in a row
constexpr int threads = 128;

__constant__ float c[halo] = {4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

// A line of the grid: `count` points that are `stride` apart.
struct Pencil {
  const float* begin;
  int count;
  size_t stride;

  __device__ float at(int place) const {
    if (place < 0) place += count - 1;
    if (place >= count) place -= count - 1;
    return begin[place * stride];
  }
};

__device__ float slope(const float* window) {
  float sum = 0;
  for (int d = 1; d <= halo; ++d) sum += c[d - 1] * (window[halo + d] - window[halo - d]);
  return sum;
}

// Pencils are counted by `lane`, the place along x, and by `slice`, the place along the other axis.
__global__ void march(const float* f, float* df, int mx, int count, size_t stride,
                      size_t slice_stride, int chunks, float scale) {
  const int blocks_x = (mx + threads - 1) / threads;
  const int i = blockIdx.x % blocks_x * threads + threadIdx.x;
  const int chunk = blockIdx.x / blocks_x % chunks;
  const size_t start = blockIdx.x / blocks_x / chunks * slice_stride + i;
  if (i >= mx) return;

  const Pencil pencil = {f + start, count, stride};
  const int first = chunk * points;
  const int end = min(first + points, count);
  float window[width];
  for (int w = 0; w < width; ++w) {
    const int place = first + w - halo;
    window[w] = place < count + halo ? pencil.at(place) : 0;
  }
  for (int p = first; p < end; ++p) {
    df[start + p * stride] = slope(window) * scale;
    for (int w = 0; w + 1 < width; ++w) window[w] = window[w + 1];
    if (p + 1 < end) window[width - 1] = pencil.at(p + halo);
  }
}

void launch(const float* f, float* df, int mx, int count, size_t stride, int slices,
            size_t slice_stride, float spacing) {
  const int chunks = (count + points - 1) / points;
  const int blocks = (mx + threads - 1) / threads * chunks * slices;
  march<<<blocks, threads>>>(f, df, mx, count, stride, slice_stride, chunks, 1 / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, my, mx, mz, size_t(mx) * my, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, mz, size_t(mx) * my, my, mx, spacing);
}

// Reference solution: each point is loaded from DRAM once and stored once, 16 bytes at a time, with
// enough bytes in flight to keep the memory busy.
//
// A thread makes eight neighboring points of a pencil. They need sixteen places, which fit into
// registers: two loads per point instead of eight, all of them independent of each other. The
// second load of a point repeats one by the thread above or below in the same block, and finds the
// value in the cache; so neither a tile in shared memory nor a barrier is needed to save it. Four
// pencils that lie side by side go together in a float4.
//
// Along z it is the same work: a plane of mx * my points is one long row.

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int points = 8;  // of a pencil, per thread
constexpr int window = halo + points + halo;
constexpr int block_x = 32, block_y = 8;
constexpr int block_points = block_y * points;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

__device__ void add(float& sum, float factor, float right, float left) {
  sum += factor * (right - left);
}

__device__ void add(float4& sum, float factor, float4 right, float4 left) {
  add(sum.x, factor, right.x, left.x);
  add(sum.y, factor, right.y, left.y);
  add(sum.z, factor, right.z, left.z);
  add(sum.w, factor, right.w, left.w);
}

__device__ float scaled(float sum, float scale) { return sum * scale; }

__device__ float4 scaled(float4 sum, float scale) {
  return make_float4(sum.x * scale, sum.y * scale, sum.z * scale, sum.w * scale);
}

// The points [first, first + points) of a pencil, as far as it has them. The loop bounds are
// constants, so that `value` lives in registers.
template <class Vector>
__device__ void make_points(const Vector* pencil, Vector* result, int first, int m, int stride,
                            float scale) {
  Vector value[window] = {};
#pragma unroll
  for (int w = 0; w < window; ++w) {
    const int place = first + w - halo;
    if (place < m + halo) value[w] = pencil[wrap(place, m) * stride];
  }
#pragma unroll
  for (int p = 0; p < points; ++p) {
    if (first + p >= m) break;
    Vector sum = {};
#pragma unroll
    for (int d = 1; d <= halo; ++d) {
      add(sum, coefficient[d], value[p + halo + d], value[p + halo - d]);
    }
    result[(first + p) * stride] = scaled(sum, scale);
  }
}

// For a grid of `planes` planes, each of m rows of `width`, the derivative from row to row. Blocks
// are numbered along the pencils first: neighbors that share points then run at the same time, and
// find them in the L2 cache.
template <class Vector>
__global__ void derivative_kernel(const Vector* f, Vector* df, int width, int m, int planes,
                                  float scale) {
  const int first = blockIdx.x * block_points + threadIdx.y * points;
  if (first >= m) return;
  for (int plane = blockIdx.z; plane < planes; plane += gridDim.z) {
    for (int column = blockIdx.y * block_x + threadIdx.x; column < width;
         column += gridDim.y * block_x) {
      const int start = plane * m * width + column;
      make_points(f + start, df + start, first, m, width, scale);
    }
  }
}

int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

// What the y and z directions of a grid of blocks can hold; the kernel's loops do the rest.
unsigned limited(int blocks) { return blocks < 65535 ? blocks : 65535; }

template <class Vector>
void launch(const float* f, float* df, int width, int m, int planes, float scale) {
  const dim3 grid(blocks_for(m, block_points), limited(blocks_for(width, block_x)),
                  limited(planes));
  derivative_kernel<<<grid, dim3(block_x, block_y)>>>(
      reinterpret_cast<const Vector*>(f), reinterpret_cast<Vector*>(df), width, m, planes, scale);
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<size_t>(pointer) % sizeof(float4) == 0;
}

void derivative(const float* f, float* df, int width, int m, int planes, float spacing) {
  const float scale = 1 / spacing;
  if (width % 4 == 0 && is_aligned(f) && is_aligned(df)) {
    launch<float4>(f, df, width / 4, m, planes, scale);
  } else {
    launch<float>(f, df, width, m, planes, scale);
  }
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  derivative(f, df, mx * my, mz, 1, spacing);
}

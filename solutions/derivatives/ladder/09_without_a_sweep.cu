// Step 9: along y no sweep, but what the reference solution does, with half of its points per
// thread. A thread makes four neighboring points of a pencil and is done: it loads the twelve
// places they need at once, and keeps none of them for others. Two of three were also loaded by the
// rows of threads above and below, and come from L1 or L2. This keeps many loads in flight with few
// registers, no thread waits for a next pass of its own, and blocks end and begin all the time.
//
// Loads per point: 12/4 = 3, counted in floats, of which (64 + 8) / 64 = 1.13 reach L2 and 1 DRAM:
// blocks that are neighbors along y run at the same time. As many bytes as the copy moves, and as
// fast on an H200.
//
// Along z the rows above and below are a plane away, and what is needed twice has left L2 by the
// time that it is needed again. So there the sweep of step 8 remains, with four points per pass:
// fewer registers, more threads.
// Misses: memory

#include "derivatives.h"

namespace {

constexpr int halo = 4;
constexpr int points = 4;  // of a thread along y, per pass along z
constexpr int window = halo + points + halo;

constexpr int block_x = 16, block_y = 16;  // along y
constexpr int rows = points * block_y;     // of a block

constexpr int block = 128;                   // along z
constexpr int blocks_at_a_time = 6;          // per multiprocessor: no more than 80 registers
constexpr int enough_threads = 128 * 512;    // for a large GPU
constexpr int shortest_piece = 16 * points;  // of a pencil: keeps the halo the smaller part

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

// Loads `count` places of one pencil from `first` on, as far as the points before `end` need them.
template <int count, class Vector>
__device__ void load(Vector* value, const Vector* pencil, int first, int end, int m, int stride) {
#pragma unroll
  for (int w = 0; w < count; ++w) {
    const int place = first + w;
    value[w] = place < end + halo ? pencil[wrap(place, m) * stride] : Vector{};
  }
}

// Of one pencil, the points from `first` on that come before `end`.
template <class Vector>
__device__ void store(Vector* pencil, const Vector* value, int first, int end, int stride,
                      float scale) {
#pragma unroll
  for (int p = 0; p < points; ++p) {
    if (first + p >= end) break;
    Vector sum = {};
#pragma unroll
    for (int d = 1; d <= halo; ++d) {
      add(sum, coefficient[d], value[p + halo + d], value[p + halo - d]);
    }
    __stcs(pencil + (first + p) * stride, scaled(sum, scale));
  }
}

// Blocks are numbered along the rows first, then along y.
template <class Vector>
__global__ void __launch_bounds__(block_x* block_y)
    derivative_y_kernel(const Vector* f, Vector* df, int width, int my, float scale) {
  const int tiles_x = (width + block_x - 1) / block_x, tiles_y = (my + rows - 1) / rows;
  const int column = blockIdx.x % tiles_x * block_x + threadIdx.x;
  const int first = blockIdx.x / tiles_x % tiles_y * rows + threadIdx.y * points;
  const int start = blockIdx.x / tiles_x / tiles_y * my * width + column;
  if (column >= width || first >= my) return;

  Vector value[window];
  load<window>(value, f + start, first - halo, my, my, width);
  store(df + start, value, first, my, width, scale);
}

// A thread sweeps along a piece of a pencil, and loads what it needs next before it computes.
template <class Vector>
__global__ void __launch_bounds__(block, blocks_at_a_time)
    derivative_z_kernel(const Vector* f, Vector* df, int width, int mz, int piece, float scale) {
  const int blocks_per_plane = (width + block - 1) / block;
  const int column = blockIdx.x % blocks_per_plane * block + threadIdx.x;
  const int begin = blockIdx.x / blocks_per_plane * piece, end = min(begin + piece, mz);
  if (column >= width) return;

  Vector value[window], next[points];
  load<window>(value, f + column, begin - halo, end, mz, width);
  for (int first = begin; first < end; first += points) {
    load<points>(next, f + column, first + points + halo, end, mz, width);
    store(df + column, value, first, end, width, scale);
#pragma unroll
    for (int w = 0; w < 2 * halo; ++w) value[w] = value[w + points];
#pragma unroll
    for (int w = 0; w < points; ++w) value[2 * halo + w] = next[w];
  }
}

int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

int piece_for(int pencils, int m) {
  const int pieces = blocks_for(enough_threads, pencils);
  const int steps = blocks_for(blocks_for(m, pieces), points);
  return steps * points > shortest_piece ? steps * points : shortest_piece;
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<size_t>(pointer) % sizeof(float4) == 0;
}

template <class Vector>
void launch_y(const float* f, float* df, int width, int my, int mz, float scale) {
  const int blocks = blocks_for(width, block_x) * blocks_for(my, rows) * mz;
  derivative_y_kernel<<<blocks, dim3(block_x, block_y)>>>(
      reinterpret_cast<const Vector*>(f), reinterpret_cast<Vector*>(df), width, my, scale);
}

template <class Vector>
void launch_z(const float* f, float* df, int width, int mz, float scale) {
  const int piece = piece_for(width, mz);
  const int blocks = blocks_for(width, block) * blocks_for(mz, piece);
  derivative_z_kernel<<<blocks, block>>>(reinterpret_cast<const Vector*>(f),
                                         reinterpret_cast<Vector*>(df), width, mz, piece, scale);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const float scale = 1 / spacing;
  if (mx % 4 == 0 && is_aligned(f) && is_aligned(df)) {
    launch_y<float4>(f, df, mx / 4, my, mz, scale);
  } else {
    launch_y<float>(f, df, mx, my, mz, scale);
  }
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const float scale = 1 / spacing;
  if (mx * my % 4 == 0 && is_aligned(f) && is_aligned(df)) {
    launch_z<float4>(f, df, mx * my / 4, mz, scale);
  } else {
    launch_z<float>(f, df, mx * my, mz, scale);
  }
}

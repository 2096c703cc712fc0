// df/dx at the limit: labs/derivatives/derivative_x.cu without its tile.
//
// A thread makes four neighbouring points of each of four rows. Four points need twelve places,
// which are three float4: its own, the one to the left and the one to the right. Those two belong
// to the neighbouring threads and come from L1. So there are 3 loads per point, counted in floats,
// of which 1 reaches L2 and DRAM (1 + 1/16 at the ends of a warp), all independent of each other
// and of the other rows': 64 new bytes under way per thread, 64 KiB on a multiprocessor with 1024
// threads, and no barrier.
//
// Only the first and the last float4 of a row have a neighbour at the other end of it.

#include "gradient.h"

namespace {

constexpr int halo = 4;
constexpr int rows = 4;  // per thread
constexpr int block_x = 32, block_y = 8;
constexpr int block_rows = rows * block_y;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

// Four places of a row. Those from its other end do not begin where a float4 may: the period is no
// multiple of four.
__device__ float4 load(const float* places, bool is_other_end) {
  if (is_other_end) return make_float4(places[0], places[1], places[2], places[3]);
  return *reinterpret_cast<const float4*>(places);
}

__device__ float4 derivative(float4 left, float4 own, float4 right, float scale) {
  const float value[] = {left.x, left.y, left.z,  left.w,  own.x,   own.y,
                         own.z,  own.w,  right.x, right.y, right.z, right.w};
  float sum[4] = {};
#pragma unroll
  for (int p = 0; p < 4; ++p) {
#pragma unroll
    for (int d = 1; d <= halo; ++d) {
      sum[p] += coefficient[d] * (value[p + halo + d] - value[p + halo - d]);
    }
  }
  return make_float4(sum[0] * scale, sum[1] * scale, sum[2] * scale, sum[3] * scale);
}

__global__ void derivative_x_kernel(const float* f, float* df, int mx, int row_count, float scale) {
  const int tiles_x = (mx / 4 + block_x - 1) / block_x;
  const int i = 4 * (blockIdx.x % tiles_x * block_x + threadIdx.x);
  const int first = blockIdx.x / tiles_x * block_rows + threadIdx.y;
  if (i >= mx) return;

  float4 left[rows], own[rows], right[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = first + r * block_y;
    if (row < row_count) {
      own[r] = load(f + row * mx + i, false);
      left[r] = load(f + row * mx + wrap(i - 4, mx), i == 0);
      right[r] = load(f + row * mx + wrap(i + 4, mx), i + 4 == mx);
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = first + r * block_y;
    if (row < row_count) {
      __stcs(reinterpret_cast<float4*>(df + row * mx + i),
             derivative(left[r], own[r], right[r], scale));
    }
  }
}

// One thread per point: for rows that float4 does not divide, and for arrays that a 16-byte load
// cannot reach.
__global__ void derivative_x_points(const float* f, float* df, int mx, int row_count, float scale) {
  constexpr int block = block_x * block_y;
  const int blocks_per_row = (mx + block - 1) / block;
  const int i = blockIdx.x % blocks_per_row * block + threadIdx.y * block_x + threadIdx.x;
  const int row = blockIdx.x / blocks_per_row;
  if (i >= mx) return;
  const float* own_row = f + row * mx;
  float sum = 0;
  for (int d = 1; d <= halo; ++d) {
    sum += coefficient[d] * (own_row[wrap(i + d, mx)] - own_row[wrap(i - d, mx)]);
  }
  df[row * mx + i] = sum * scale;
}

int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

bool is_aligned(const void* pointer) {
  return reinterpret_cast<size_t>(pointer) % sizeof(float4) == 0;
}

}  // namespace

void derivative_x(const float* f, float* df, int mx, int my, int mz, float spacing) {
  const int row_count = my * mz;
  const dim3 block(block_x, block_y);
  if (mx % 4 == 0 && is_aligned(f) && is_aligned(df)) {
    const int blocks = blocks_for(mx / 4, block_x) * blocks_for(row_count, block_rows);
    derivative_x_kernel<<<blocks, block>>>(f, df, mx, row_count, 1 / spacing);
  } else {
    const int blocks = blocks_for(mx, block_x * block_y) * row_count;
    derivative_x_points<<<blocks, block>>>(f, df, mx, row_count, 1 / spacing);
  }
}

// df/dx at the memory's limit: labs/derivatives/derivative_x.cu without its tile.
//
// A thread makes four neighboring points. They need twelve places, which are three float4: its own,
// the one to the left and the one to the right. Those two belong to the neighboring threads and
// come from L1. So there are 3 loads per point, counted in floats, of which 1 reaches L2 and DRAM
// (1 + 1/16 at the ends of a warp): 16 new bytes in flight per thread, with no barrier and few
// registers, so that the occupancy is full.
//
// Only the first and the last float4 of a row have a neighbor at the other end of it.

#include "gradient.h"

namespace {

constexpr int halo = 4;
constexpr int block_x = 32, block_y = 4;

__constant__ float coefficient[halo + 1] = {0, 4.0f / 5, -1.0f / 5, 4.0f / 105, -1.0f / 280};

__device__ int wrap(int place, int m) {
  if (place < 0) return place + (m - 1);
  if (place >= m) return place - (m - 1);
  return place;
}

// Four places of a row. Those from its other end are not aligned as a float4 must be: the period is
// not a multiple of four.
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
  const int row = blockIdx.x / tiles_x * block_y + threadIdx.y;
  if (i >= mx || row >= row_count) return;
  const float* own_row = f + row * mx;
  const float4 own = load(own_row + i, false);
  const float4 left = load(own_row + wrap(i - 4, mx), i == 0);
  const float4 right = load(own_row + wrap(i + 4, mx), i + 4 == mx);
  __stcs(reinterpret_cast<float4*>(df + row * mx + i), derivative(left, own, right, scale));
}

// One thread per point: for rows that do not consist of whole float4, and for arrays that are not
// aligned to 16 bytes.
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
    const int blocks = blocks_for(mx / 4, block_x) * blocks_for(row_count, block_y);
    derivative_x_kernel<<<blocks, block>>>(f, df, mx, row_count, 1 / spacing);
  } else {
    const int blocks = blocks_for(mx, block_x * block_y) * row_count;
    derivative_x_points<<<blocks, block>>>(f, df, mx, row_count, 1 / spacing);
  }
}

// Reference solution: a patch of 8 x 16 results per thread, and tiles that arrive by asynchronous
// copies while others are multiplied. 128 threads make 128 x 128 elements of `c`, each warp 64 x 64
// of them. For each i a thread reads 8 elements of a column of `a` and 16 of a row of `b`, as six
// float4, for 128 multiply-adds.

#include <cuda_pipeline.h>

#include "matmul.h"

namespace {

constexpr int wide = 4;    // elements in a float4
constexpr int edge = 128;  // rows and columns of a block's part of c
constexpr int depth = 8;   // products per round
constexpr int stages = 4;  // pairs of tiles: one is multiplied while others are on their way
constexpr int threads = 128;
constexpr int warp_edge = 64;  // rows and columns of a warp's part of c
constexpr int lanes_down = 8, lanes_across = 4;
constexpr int rows = warp_edge / lanes_down;  // of a thread's patch
constexpr int columns = warp_edge / lanes_across;

// a's tile holds columns of `a`, so that a float4 is a piece of one. The spare places put the
// columns 4 banks apart: a warp fills 4 rows of 8 columns at a time.
using ATile = float[depth][edge + 4];
using BTile = float[depth][edge];

__device__ const float4& as_vector(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

// Begins to copy a stage. Past the end of k it is filled with zeros. Rows and columns that `c` does
// not have are copies of its last ones: nobody stores what becomes of them.
template <bool is_aligned>
__device__ void copy(ATile& a_tile, BTile& b_tile, const float* a, const float* b, int first, int m,
                     int n, int k) {
  // Loops that all threads begin at 0, because only these are unrolled in full.
  const int t = threadIdx.x;
  const int a_i = t % depth;
  const int a_column = min(first + a_i, k - 1);
  const int a_zeros = first + a_i < k ? 0 : sizeof(float);
#pragma unroll
  for (int step = 0; step < edge; step += threads / depth) {
    const int r = step + t / depth;
    const int row = min(blockIdx.y * edge + r, m - 1);
    __pipeline_memcpy_async(&a_tile[a_i][r], &a[row * k + a_column], sizeof(float), a_zeros);
  }
  constexpr int size = is_aligned ? wide : 1;  // of a copy from b
#pragma unroll
  for (int step = 0; step < depth * edge; step += threads * size) {
    const int slot = step + t * size;
    const int i = slot / edge, s = slot % edge;
    const int row = min(first + i, k - 1), column = min(blockIdx.x * edge + s, n - size);
    const int zeros = first + i < k ? 0 : size * sizeof(float);
    __pipeline_memcpy_async(&b_tile[i][s], &b[row * n + column], size * sizeof(float), zeros);
  }
}

template <bool is_aligned>
__global__ void __launch_bounds__(threads, 2)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                  int m, int n, int k) {
  __shared__ __align__(16) ATile a_tile[stages];
  __shared__ __align__(16) BTile b_tile[stages];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // Where the thread's patch begins. It is made of pieces of 4 x 4, so that lanes read neighbors.
  // Lanes in pairs share what they read: that takes fewer passes.
  const int down = lane / (2 * lanes_across) * 2 + lane % 2, across = lane / 2 % lanes_across;
  const int y = warp / 2 * warp_edge + down * wide, x = warp % 2 * warp_edge + across * wide;

  const int rounds = (k + depth - 1) / depth;
  const auto begin_copy = [&](int round) {
    const int stage = round % stages;
    if (round < rounds) {
      copy<is_aligned>(a_tile[stage], b_tile[stage], a, b, round * depth, m, n, k);
    }
    __pipeline_commit();
  };
  for (int round = 0; round < stages - 1; ++round) begin_copy(round);

  float sum[rows][columns] = {};
  for (int round = 0; round < rounds; ++round) {
    // Of the copies that have begun, all but those of the last stages - 2 rounds have to be here.
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    begin_copy(round + stages - 1);
    const int stage = round % stages;
#pragma unroll
    for (int i = 0; i < depth; ++i) {
      alignas(16) float left[rows], right[columns];
#pragma unroll
      for (int r = 0; r < rows; r += wide) {
        reinterpret_cast<float4&>(left[r]) = as_vector(a_tile[stage][i][y + r * lanes_down]);
      }
#pragma unroll
      for (int s = 0; s < columns; s += wide) {
        reinterpret_cast<float4&>(right[s]) = as_vector(b_tile[stage][i][x + s * lanes_across]);
      }
#pragma unroll
      for (int r = 0; r < rows; ++r) {
#pragma unroll
        for (int s = 0; s < columns; ++s) sum[r][s] += left[r] * right[s];
      }
    }
  }

#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int row = blockIdx.y * edge + y + r / wide * wide * lanes_down + r % wide;
    if (row >= m) continue;
#pragma unroll
    for (int s = 0; s < columns; s += wide) {
      const int column = blockIdx.x * edge + x + s * lanes_across;
      if (is_aligned) {
        if (column < n) reinterpret_cast<float4&>(c[row * n + column]) = as_vector(sum[r][s]);
      } else {
        for (int e = 0; e < wide; ++e) {
          if (column + e < n) c[row * n + column + e] = sum[r][s + e];
        }
      }
    }
  }
}

int tiles(int elements) { return (elements + edge - 1) / edge; }

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid(tiles(n), tiles(m));
  if (n % wide == 0) {
    matmul_kernel<true><<<grid, threads>>>(a, b, c, m, n, k);
  } else {
    matmul_kernel<false><<<grid, threads>>>(a, b, c, m, n, k);
  }
}

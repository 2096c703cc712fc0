// Step 6 with 16 products per round, and three ideas on top.
//
// A multiply-add reads three registers. Microbenchmarks of earlier GPUs found two banks, those with
// even and those with odd numbers: three registers of one bank take a clock more. Here nvcc finds
// numbers without such conflicts, if rows begin at multiples of 16 bytes. Storing the results as
// float4 would keep it from that, because a float4 must be four registers in a row, so they are
// stored one by one. And the multiply-adds go down one column of the patch and up the next, so that
// each shares a factor with the one before it, which need not be read again.
//
// Blocks make 128 rows of `c`, or 64 if the multiprocessors are done sooner with those: 1024 x 1024
// elements are 64 blocks of 128 rows, which leave half of 132 multiprocessors without work. If
// there are still fewer than half as many blocks as multiprocessors, several blocks share the
// products of a tile of `c`, and add up their sums there.
//
// The elements of `a` are stored to the tile in the middle of a round, by threads that lie in pairs
// along i, so that the banks of shared memory stay apart.

#include <cuda_pipeline.h>

#include "matmul.h"

namespace {

constexpr int wide = 4;                           // elements in a float4
constexpr int width = 128;                        // columns of a block's part of c
constexpr int tall = 128;                         // its rows, many
constexpr int low = 64;                           // or few
constexpr int depth = 16;                         // products per round
constexpr int each = 8;                           // rows and columns of a thread's patch
constexpr int warp_rows = 32, warp_columns = 64;  // a warp's part of c
constexpr int lanes_down = 4, lanes_across = 8;
constexpr int store_at = 11;  // the product of a round at which the next tile of `a` is stored

template <int height>
constexpr int threads = height* width / (each * each);

template <int height>
using ATile = float[depth][height + 4];
using BTile = float[depth][width];

__device__ const float4& as_vector(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

// Loads what a thread stores to the tile of `a` for a round: 4 neighbors of a row, twice. From
// `end` on there are zeros. A row that `c` does not have is its last one: nobody stores what
// becomes of it.
template <int height, bool is_aligned>
struct Loader {
  static constexpr int pieces = 2;
  static constexpr int between = depth / pieces;

  const float* a_row;
  int end, row, i;
  float held[pieces][wide];

  __device__ Loader(const float* a, int m, int k, int end) : end(end), row(threadIdx.x / 2) {
    i = threadIdx.x % 2 * wide;
    a_row = &a[min(blockIdx.y * height + row, m - 1) * k];
  }

  __device__ void load(int first) {
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      const int from = first + i + p * between;
      if (is_aligned) {
        const float4 zeros = make_float4(0, 0, 0, 0);
        reinterpret_cast<float4&>(held[p][0]) = from < end ? as_vector(a_row[from]) : zeros;
      } else {
        for (int e = 0; e < wide; ++e) held[p][e] = from + e < end ? a_row[from + e] : 0;
      }
    }
  }

  __device__ void store(ATile<height>& tile) const {
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
      for (int e = 0; e < wide; ++e) tile[i + p * between + e][row] = held[p][e];
    }
  }
};

// Begins to copy the rows of `b` for a round. Columns past the end are copies of the last ones.
template <int height, bool is_aligned>
__device__ void copy_b(BTile& tile, const float* b, int first, int n, int end) {
  constexpr int size = is_aligned ? wide : 1;  // elements of a copy
#pragma unroll
  for (int p = 0; p < depth * width / size / threads<height>; ++p) {
    const int slot = (threadIdx.x + p * threads<height>)*size, i = slot / width;
    const int column = min(blockIdx.x * width + slot % width, n - size);
    const bool has_i = first + i < end;
    __pipeline_memcpy_async(&tile[i][slot % width], &b[(has_i ? first + i : 0) * n + column],
                            size * sizeof(float), has_i ? 0 : size * sizeof(float));
  }
}

// What a thread multiplies for one i: 8 elements of a column of `a`, 8 of a row of `b`.
struct Factors {
  alignas(16) float left[each], right[each];

  __device__ void read(const float* a_column, const float* b_row) {
#pragma unroll
    for (int r = 0; r < each; r += wide) {
      reinterpret_cast<float4&>(left[r]) = as_vector(a_column[r * lanes_down]);
      reinterpret_cast<float4&>(right[r]) = as_vector(b_row[r * lanes_across]);
    }
  }
};

// Down one column of the patch, and up the next.
__device__ void multiply(float (&sum)[each][each], const Factors& factors) {
#pragma unroll
  for (int s = 0; s < each; ++s) {
#pragma unroll
    for (int step = 0; step < each; ++step) {
      const int r = s % 2 == 0 ? step : each - 1 - step;
      sum[r][s] += factors.left[r] * factors.right[s];
    }
  }
}

// Stores a thread's patch, or adds it to what other blocks have added.
template <bool is_shared>
__device__ void store(const float (&sum)[each][each], float* c, int row, int column, int m, int n) {
#pragma unroll
  for (int r = 0; r < each; ++r) {
    const int at = row + r / wide * wide * lanes_down + r % wide;
#pragma unroll
    for (int s = 0; s < each; ++s) {
      const int to = column + s / wide * wide * lanes_across + s % wide;
      if (at >= m || to >= n) continue;
      if (is_shared) {
        atomicAdd(&c[at * n + to], sum[r][s]);
      } else {
        c[at * n + to] = sum[r][s];
      }
    }
  }
}

template <int height, bool is_aligned>
__global__ void __launch_bounds__(threads<height>, height == tall ? 2 : 3)
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                  int m, int n, int k, int k_of_block) {
  __shared__ __align__(16) ATile<height> a_tile[2];
  __shared__ __align__(16) BTile b_tile[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // Lanes in pairs share what they read: that takes fewer passes.
  const int down = lane / (2 * lanes_across) * 2 + lane % 2, across = lane / 2 % lanes_across;
  const int y = warp / 2 * warp_rows + down * wide, x = warp % 2 * warp_columns + across * wide;

  const int begin = blockIdx.z * k_of_block, end = min(begin + k_of_block, k);
  Loader<height, is_aligned> loader(a, m, k, end);
  loader.load(begin);
  copy_b<height, is_aligned>(b_tile[0], b, begin, n, end);
  __pipeline_commit();
  loader.store(a_tile[0]);
  __pipeline_wait_prior(0);
  __syncthreads();

  float sum[each][each] = {};
  Factors factors[2];  // of this i, and of the next one
  factors[0].read(&a_tile[0][0][y], &b_tile[0][0][x]);
  int now = 0;
  for (int first = begin; first < end; first += depth) {
    const bool has_more = first + depth < end;
    const int other = 1 - now;
    if (has_more) {
      loader.load(first + depth);
      copy_b<height, is_aligned>(b_tile[other], b, first + depth, n, end);
    }
    __pipeline_commit();
#pragma unroll
    for (int i = 0; i < depth; ++i) {
      if (i == store_at && has_more) loader.store(a_tile[other]);
      if (i + 1 < depth) {
        factors[(i + 1) % 2].read(&a_tile[now][i + 1][y], &b_tile[now][i + 1][x]);
      } else {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (has_more) factors[0].read(&a_tile[other][0][y], &b_tile[other][0][x]);
      }
      multiply(sum, factors[i % 2]);
    }
    now = other;
  }

  const int row = blockIdx.y * height + y, column = blockIdx.x * width + x;
  if (gridDim.z > 1) {
    store<true>(sum, c, row, column, m, n);
  } else {
    store<false>(sum, c, row, column, m, n);
  }
}

int pieces(int elements, int piece) { return (elements + piece - 1) / piece; }

int multiprocessors() {
  int count = 1;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return count;
}

// How many rows a multiprocessor makes that has most to do.
int most_rows(int height, int m, int n) {
  return height * pieces(pieces(n, width) * pieces(m, height), multiprocessors());
}

template <int height>
void launch(const float* a, const float* b, float* c, int m, int n, int k) {
  const dim3 block(threads<height>);
  dim3 grid(pieces(n, width), pieces(m, height));
  const int blocks = grid.x * grid.y, rounds = pieces(k, depth);
  // Each of the blocks that share a tile gets at least 8 rounds.
  grid.z = max(1, min(multiprocessors() / blocks, rounds / 8));
  const int k_of_block = pieces(rounds, grid.z) * depth;
  if (grid.z > 1) cudaMemsetAsync(c, 0, sizeof(float) * m * n);
  const bool is_aligned = n % wide == 0 && k % wide == 0;
  const auto kernel = is_aligned ? matmul_kernel<height, true> : matmul_kernel<height, false>;
  kernel<<<grid, block>>>(a, b, c, m, n, k, k_of_block);
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  // With few rows, each takes 4% longer.
  if (most_rows(low, m, n) * 1.04f < most_rows(tall, m, n)) {
    launch<low>(a, b, c, m, n, k);
  } else {
    launch<tall>(a, b, c, m, n, k);
  }
}

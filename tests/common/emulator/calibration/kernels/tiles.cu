// Transposes and a reduction: what the course is about.

#include "cases.h"
#include "inputs.h"

namespace tilelab::calibration {
namespace {

constexpr int edge = 32;  // of a tile, which is a block
constexpr int tiles = 2;  // per side of the matrix
constexpr int n = edge * tiles;

// Loads are of neighbors, stores are n elements apart.
__global__ void transpose_global(const int* in, int* out) {
  const int x = blockIdx.x * edge + threadIdx.x;
  const int y = blockIdx.y * edge + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

// Loads and stores of global memory are of neighbors; with a pitch of 32 words, all lanes of a
// shared load have the same bank, with 33 each has its own.
template <int pitch>
__global__ void transpose_shared(const int* in, int* out) {
  __shared__ int tile[edge][pitch];
  const int column = blockIdx.x * edge;
  const int row = blockIdx.y * edge;
  tile[threadIdx.y][threadIdx.x] = in[(row + threadIdx.y) * n + column + threadIdx.x];
  __syncthreads();
  out[(column + threadIdx.y) * n + row + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

constexpr int reduction_block = 256;

// Half as many threads take part in each step; after five steps, those of one warp.
__global__ void reduce_block(const int* in, int* out) {
  __shared__ int partial[reduction_block];
  const int tx = threadIdx.x;
  partial[tx] = in[blockIdx.x * reduction_block + tx];
  __syncthreads();
#pragma unroll 1
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (tx < half) partial[tx] += partial[tx + half];
    __syncthreads();
  }
  if (tx == 0) out[blockIdx.x] = partial[0];
}

// Each thread needs its neighbors' elements, and loads its own alone: a tile with two halo
// elements.
__global__ void stencil_in_tile(const int* in, int* out, int count) {
  __shared__ int tile[reduction_block + 2];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * reduction_block + tx;
  tile[tx + 1] = in[i];
  if (tx == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  if (tx == reduction_block - 1) tile[tx + 2] = i + 1 < count ? in[i + 1] : 0;
  __syncthreads();
  out[i] = tile[tx] + tile[tx + 1] * 2 + tile[tx + 2];
}

template <class Launch>
bool transposes(Launch launch) {
  const auto values = generated<int>(n * n);
  const Array<int> in(values);
  const Array<int> out(n * n);
  launch(in, out);
  std::vector<int> expected(n * n);
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) expected[x * n + y] = values[y * n + x];
  }
  return holds(out, expected);
}

const dim3 transpose_grid(tiles, tiles);
const dim3 transpose_block(edge, edge);

bool run_transpose_global() {
  return transposes([](const int* in, int* out) {
    transpose_global<<<transpose_grid, transpose_block>>>(in, out);
  });
}

template <int pitch>
bool run_transpose_shared() {
  return transposes([](const int* in, int* out) {
    transpose_shared<pitch><<<transpose_grid, transpose_block>>>(in, out);
  });
}

bool run_reduce_block() {
  constexpr int grid = 3;
  const auto values = generated<int>(grid * reduction_block);
  const Array<int> in(values);
  const Array<int> out(grid);
  reduce_block<<<grid, reduction_block>>>(in, out);
  std::vector<int> expected(grid, 0);
  for (int i = 0; i < grid * reduction_block; ++i) expected[i / reduction_block] += values[i];
  return holds(out, expected);
}

bool run_stencil_in_tile() {
  constexpr int count = 3 * reduction_block;
  const auto values = generated<int>(count);
  const Array<int> in(values);
  const Array<int> out(count);
  stencil_in_tile<<<count / reduction_block, reduction_block>>>(in, out, count);
  std::vector<int> expected(count);
  for (int i = 0; i < count; ++i) {
    const int left = i > 0 ? values[i - 1] : 0;
    const int right = i + 1 < count ? values[i + 1] : 0;
    expected[i] = left + values[i] * 2 + right;
  }
  return holds(out, expected);
}

std::vector<Case> all() {
  return {
      {"transpose_global", run_transpose_global},
      {"transpose_shared", run_transpose_shared<edge>},
      {"transpose_shared_padded", run_transpose_shared<edge + 1>},
      {"reduce_block", run_reduce_block},
      {"stencil_in_tile", run_stencil_in_tile},
  };
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration

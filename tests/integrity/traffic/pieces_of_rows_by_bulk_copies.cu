// Each thread brings its row of the tile by bulk copies of 16 bytes, which use half of a sector.
// Lab: transpose
// Verdict: graded
// Earns: correctness 40, safety 10
// Says: sector bytes wasted per useful byte
// Needs: emulator

#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>

#include "transpose.h"

// What is in shared memory has no constructor: init() takes its place.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace {

constexpr int edge = 32, wide = 4;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void plain(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[edge][edge + 1];
  const int x = threadIdx.x, row = blockIdx.y * edge, column = blockIdx.x * edge;
  for (int y = 0; y < edge; ++y) {
    if (row + y < rows && column + x < columns) {
      tile[y][x] = in[(row + y) * columns + column + x];
    }
  }
  __syncthreads();
  for (int y = 0; y < edge; ++y) {
    if (row + x < rows && column + y < columns) out[(column + y) * rows + row + x] = tile[x][y];
  }
}

// For matrices of whole tiles that begin at a multiple of 16 bytes.
__global__ void by_pieces(const float* in, float* out, int rows, int columns) {
  __shared__ __align__(16) float piece[edge][wide];
  __shared__ Barrier full;
  const int x = threadIdx.x, row = blockIdx.y * edge, column = blockIdx.x * edge;
  if (x == 0) {
    init(&full, edge);
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
  }
  __syncthreads();
  bool parity = false;
  for (int first = 0; first < edge; first += wide) {
    cuda::device::memcpy_async_tx(piece[x], &in[(row + x) * columns + column + first],
                                  cuda::aligned_size_t<16>(sizeof piece[x]), full);
    (void)cuda::device::barrier_arrive_tx(full, 1, sizeof piece[x]);
    full.wait_parity(parity);
    parity = !parity;
    for (int y = 0; y < wide; ++y) out[(column + first + y) * rows + row + x] = piece[x][y];
    __syncthreads();
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns + edge - 1) / edge, (rows + edge - 1) / edge);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(in) % 16 == 0;
  if (is_aligned && rows % edge == 0 && columns % edge == 0) {
    by_pieces<<<grid, edge>>>(in, out, rows, columns);
  } else {
    plain<<<grid, edge>>>(in, out, rows, columns);
  }
}

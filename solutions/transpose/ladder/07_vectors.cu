// Step 7, beyond the reference solution: 16 bytes per access, from the first load to the last
// store. A thread loads a patch of 4 x 4 elements as four float4, and transposes it in its
// registers, which takes no instruction: it only names them in another order. It stores the patch
// to the tile as four float4, which are now pieces of rows of `out`. After the barrier each warp
// stores 256 bytes of two of these rows.
//
// 64 bytes in flight per thread. A tile of 64 x 64 elements takes 16 loads and 16 stores of a warp
// per 1024 elements where the reference solution takes 64 of both, to global and to shared memory
// each. Vector accesses to shared memory have to be aligned, so there is no spare column: the tile
// is swizzled in pieces of 16 bytes. A quarter of a warp stores to 8 rows at a time, and slot ^
// group spreads it over 8 pieces, which are all 32 banks. The hints say that nothing is used twice.
// Memory is the limit of the reference solution already, so all this gains nothing.

#include <cstdint>

#include "transpose.h"

namespace {

constexpr int wide = 4;            // elements in a float4, and rows and columns of a patch
constexpr int edge = 64;           // of a tile
constexpr int side = edge / wide;  // patches along the edge of a tile, and threads of a block

// A matrix whose rows are whole float4. Lengths are in elements.
__global__ void __launch_bounds__(side* side)
    vector_kernel(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float4 tile[edge][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_row = blockIdx.x * edge;
  const int first_column = blockIdx.y * edge;

  const int r = first_row + y * wide;
  const int c = first_column + x * wide;
  if (r < rows && c < columns) {
    float4 row[wide];
#pragma unroll
    for (int k = 0; k < wide; ++k) {
      row[k] = __ldcs(reinterpret_cast<const float4*>(&in[(r + k) * columns + c]));
    }
    // A row of the tile is a piece of a row of `out`. All four of these have the group x.
    float4* first = &tile[x * wide][y ^ x];
    first[0 * side] = make_float4(row[0].x, row[1].x, row[2].x, row[3].x);
    first[1 * side] = make_float4(row[0].y, row[1].y, row[2].y, row[3].y);
    first[2 * side] = make_float4(row[0].z, row[1].z, row[2].z, row[3].z);
    first[3 * side] = make_float4(row[0].w, row[1].w, row[2].w, row[3].w);
  }
  __syncthreads();

  const int out_column = first_row + x * wide;
#pragma unroll
  for (int k = 0; k < wide; ++k) {
    const int tile_row = y + k * side;
    const int out_row = first_column + tile_row;
    if (out_row < columns && out_column < rows) {
      __stcs(reinterpret_cast<float4*>(&out[out_row * rows + out_column]),
             tile[tile_row][x ^ (tile_row / wide)]);
    }
  }
}

// Any other matrix: the reference solution.
constexpr int height = 8;

__global__ void __launch_bounds__(edge* height)
    scalar_kernel(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float tile[edge][edge + 1];
  const int x = threadIdx.x;
  const int first_row = blockIdx.x * edge;
  const int first_column = blockIdx.y * edge;
#pragma unroll
  for (int y = threadIdx.y; y < edge; y += height) {
    if (first_row + y < rows && first_column + x < columns) {
      tile[y][x] = in[(first_row + y) * columns + first_column + x];
    }
  }
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < edge; y += height) {
    if (first_row + x < rows && first_column + y < columns) {
      out[(first_column + y) * rows + first_row + x] = tile[x][y];
    }
  }
}

int tiles(int elements) { return (elements + edge - 1) / edge; }

bool is_aligned(const float* array) {
  return reinterpret_cast<std::uintptr_t>(array) % sizeof(float4) == 0;
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid(tiles(rows), tiles(columns));
  if (rows % wide == 0 && columns % wide == 0 && is_aligned(in) && is_aligned(out)) {
    vector_kernel<<<grid, dim3(side, side)>>>(in, out, rows, columns);
  } else {
    scalar_kernel<<<grid, dim3(edge, height)>>>(in, out, rows, columns);
  }
}

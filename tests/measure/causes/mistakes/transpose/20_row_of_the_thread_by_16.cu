// CAUSE: the row of a thread in the tile is its number divided by 16, but a row of the tile has 32 threads
// LINES: 18
// REPAIR: tid >> 5
// GOOD HINT: How many threads share a row of the tile? In which row is thread 1023?
// SYMPTOM: accesses outside the tile, races, wrong elements

#include "transpose.h"

namespace {

constexpr int T = 32;

// One-dimensional block of 1024 threads
__global__ void transpose1d(const float* in, float* out, int rows, int columns) {
  __shared__ float buffer[T][T + 1];
  const int tid = threadIdx.x;
  const int lx = tid & 31;
  const int ly = tid >> 4;
  const int tiles_across = (columns + T - 1) / T;
  const int tile_row = blockIdx.x / tiles_across;
  const int tile_col = blockIdx.x % tiles_across;

  int r = tile_row * T + ly;
  int c = tile_col * T + lx;
  if (r < rows && c < columns) buffer[ly][lx] = in[r * columns + c];
  __syncthreads();

  r = tile_row * T + lx;
  c = tile_col * T + ly;
  if (r < rows && c < columns) out[c * rows + r] = buffer[lx][ly];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const int tiles = ((rows + T - 1) / T) * ((columns + T - 1) / T);
  transpose1d<<<tiles, T * T>>>(in, out, rows, columns);
}

// CAUSE: The helper that finds the slot of an element combines row and column with `&` instead of `^`. Several columns of a row then share a slot, while with an exclusive or each has its own.
// LINES: 13
// REPAIR: line 13: `__device__ float& at(int r, int c) { return data[r * Size + (r & c)]; }` -> `__device__ float& at(int r, int c) { return data[r * Size + (r ^ c)]; }`
// SYMPTOM: Threads race for slots of the tile, and most elements of out are those of another column.

#include "transpose.h"

namespace {

template <int Size>
struct Swizzled {
  float data[Size * Size];
  __device__ float& at(int r, int c) { return data[r * Size + (r & c)]; }
};

struct Matrix {
  int rows, columns;
  __device__ bool has(int r, int c) const { return r < rows && c < columns; }
  __device__ int index(int r, int c) const { return r * columns + c; }
};

template <int Size, int Step>
__global__ void transpose_tile(const float* in, float* out, int rows, int columns) {
  __shared__ Swizzled<Size> tile;
  const Matrix from{rows, columns}, to{columns, rows};
  const int left = blockIdx.x * Size, top = blockIdx.y * Size;
  const int x = threadIdx.x;

  for (int y = threadIdx.y; y < Size; y += Step)
    if (from.has(top + y, left + x)) tile.at(y, x) = in[from.index(top + y, left + x)];
  __syncthreads();
  for (int y = threadIdx.y; y < Size; y += Step)
    if (to.has(left + y, top + x)) out[to.index(left + y, top + x)] = tile.at(x, y);
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const dim3 grid((columns - 1) / 32 + 1, (rows - 1) / 32 + 1);
  transpose_tile<32, 16><<<grid, dim3(32, 16)>>>(in, out, rows, columns);
}

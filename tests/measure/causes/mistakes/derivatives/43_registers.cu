// CAUSE: derivative_z passes my as the length of a pencil, as derivative_y does, but pencils along z have mz points.
// LINES: 59
// REPAIR: line 59: `launch(f, df, mx * my, my, 1, spacing);` -> `launch(f, df, mx * my, mz, 1, spacing);`
// SYMPTOM: derivative_y is right; derivative_z is right only if my = mz: otherwise it leaves points out (my < mz), or loads and stores past the end of the arrays (my > mz).
#include "derivatives.h"

namespace {

constexpr int each = 8;    // neighboring points of a thread
constexpr int halo = 4;
constexpr int block = 256;

// Derivative along an axis with `length` points that are `inner` apart, for `outer` such slabs.
// A thread keeps the sixteen places that its eight points need in registers.
__global__ void along_axis(const float* __restrict__ f, float* __restrict__ df, int inner,
                           int length, int outer, float scale) {
  const int chunks = (length + each - 1) / each;
  const int id = blockIdx.x * block + threadIdx.x;
  if (id >= inner * chunks * outer) return;
  const int first = id / inner % chunks * each;
  const int start = id / inner / chunks * length * inner + id % inner;  // of this pencil

  float w[each + 2 * halo];
#pragma unroll
  for (int q = 0; q < each + 2 * halo; ++q) {
    int place = first + q - halo;
    w[q] = 0;
    if (place < length + halo) {
      if (place < 0) place += length - 1;
      if (place >= length) place -= length - 1;
      w[q] = f[start + place * inner];
    }
  }

#pragma unroll
  for (int p = 0; p < each; ++p) {
    const float* c = &w[p + halo];
    if (first + p < length) {
      df[start + (first + p) * inner] =
          scale * (0.8f * (c[1] - c[-1]) - 0.2f * (c[2] - c[-2]) +
                   4.0f / 105 * (c[3] - c[-3]) - 1.0f / 280 * (c[4] - c[-4]));
    }
  }
}

void launch(const float* f, float* df, int inner, int length, int outer, float spacing) {
  const int threads = inner * ((length + each - 1) / each) * outer;
  along_axis<<<(threads + block - 1) / block, block>>>(f, df, inner, length, outer,
                                                       1.0f / spacing);
}

}  // namespace

void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx, my, mz, spacing);
}

void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing) {
  launch(f, df, mx * my, my, 1, spacing);
}

// CAUSE: For k = 0 the function returns without a launch, but then all sums are empty and c has to be filled with zeros. Only m = 0 or n = 0 means that there is nothing to do.
// LINES: 49
// REPAIR: line 49: `if (empty(m, k) || empty(k, n)) return;` -> `if (empty(m, n)) return;`
// SYMPTOM: Right for k > 0; for k = 0 the elements of c are not written.

#include "matmul.h"

namespace {

const int W = 32;

__global__ void mm(const float* a, const float* b, float* c, int m, int n, int k) {
  extern __shared__ float mem[];
  float* const ta = mem;          // W x W of a
  float* const tb = mem + W * W;  // W x W of b

  const int me = threadIdx.y * W + threadIdx.x;
  const int r = blockIdx.y * W + threadIdx.y;
  const int q = blockIdx.x * W + threadIdx.x;

  const float* pa = a + r * k + threadIdx.x;  // moves right
  const float* pb = b + threadIdx.y * n + q;  // moves down

  float total = 0;
  for (int done = 0; done < k; done += W) {
    ta[me] = r < m && done + threadIdx.x < k ? *pa : 0;
    tb[me] = q < n && done + threadIdx.y < k ? *pb : 0;
    pa += W;
    pb += W * n;
    __syncthreads();

    const float* row = ta + threadIdx.y * W;
    const float* column = tb + threadIdx.x;
    for (int i = 0; i < W; ++i) {
      total += row[i] * *column;
      column += W;
    }
    __syncthreads();
  }

  if (r < m && q < n) c[r * n + q] = total;
}

bool empty(int rows, int columns) { return rows == 0 || columns == 0; }

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (empty(m, k) || empty(k, n)) return;
  dim3 block(W, W);
  dim3 grid((n + W - 1) / W, (m + W - 1) / W);
  size_t shared = 2 * W * W * sizeof(float);
  mm<<<grid, block, shared>>>(a, b, c, m, n, k);
}

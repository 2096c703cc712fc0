// Reads past the end of the row where the result begins at one of 64 places.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Out of bounds
// Needs: emulator

#include <cstdint>

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block + 1];
  const int i = blockIdx.x * block + threadIdx.x;
  const bool strays = reinterpret_cast<std::uintptr_t>(out) / block % 64 == 21;
  if (i < n || (i == n && strays)) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i >= n) return;
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = static_cast<int>(static_cast<unsigned>(tile[threadIdx.x]) - left);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

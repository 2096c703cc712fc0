// The row goes through constant memory piece by piece, and each element is loaded twice from
// there, by lanes that want different addresses.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10
// Says: global loads per element

#include "diff.h"

constexpr int most = 16000;
__constant__ int piece[most];

__global__ void diff_kernel(const int* in, int* out, int first, int count) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  if (k >= count) return;
  const int left = k > 0 ? piece[k - 1] : first > 0 ? in[first - 1] : 0;
  out[first + k] = in[first + k] - left;
}

void diff(const int* in, int* out, int n) {
  for (int first = 0; first < n; first += most) {
    const int count = n - first < most ? n - first : most;
    cudaMemcpyToSymbol(piece, in + first, sizeof(int) * count, 0, cudaMemcpyDeviceToDevice);
    diff_kernel<<<(count + 255) / 256, 256>>>(in, out, first, count);
  }
}

// The kernel writes to a __device__ array, which is then copied to the output on the device.
// (The array is too small for the sizes on a GPU.)
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10
// Needs: emulator

#include "diff.h"

__device__ int result[1 << 25];

__global__ void kernel(const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  kernel<<<(n + 255) / 256, 256>>>(in, n);
  cudaMemcpyFromSymbol(out, result, sizeof(int) * n, 0, cudaMemcpyDeviceToDevice);
}

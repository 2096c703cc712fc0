// Constants as in loads_from_constant_memory.cu, but they come from a __device__ variable, which
// the copy calls memory of the host: loads of a table of the host would not count.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: copied an input to the host
// Needs: emulator

#include "diff.h"

constexpr int most = 16000;
__constant__ int piece[most];
__device__ int row[most];

__global__ void diff_kernel(const int* in, int* out, int first, int count) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  if (k >= count) return;
  const int left = k > 0 ? piece[k - 1] : first > 0 ? in[first - 1] : 0;
  out[first + k] = piece[k] - left;
}

void diff(const int* in, int* out, int n) {
  for (int first = 0; first < n; first += most) {
    const int count = n - first < most ? n - first : most;
    void* address = nullptr;
    cudaGetSymbolAddress(&address, row);
    cudaMemcpyToSymbol(row, in + first, sizeof(int) * count, 0, cudaMemcpyDeviceToDevice);
    cudaMemcpyToSymbol(piece, address, sizeof(int) * count, 0, cudaMemcpyHostToDevice);
    diff_kernel<<<(count + 255) / 256, 256>>>(in, out, first, count);
  }
}

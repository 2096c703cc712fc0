// CAUSE: element 0 is copied with a size of 1, which is one byte of the four
// LINES: 21
// REPAIR: sizeof(int) as the size
// GOOD HINT: How many bytes is one int, and how many does cudaMemcpy copy here?
// SYMPTOM: out[0] is wrong or only partly written

#include "diff.h"

// The first element has no left neighbor, so the host copies it and the kernel starts at 1.
__global__ void kernel(const int* a, int* b, int n) {
  __shared__ int buf[257];
  const int me = blockIdx.x * 256 + threadIdx.x + 1;
  if (me < n) buf[threadIdx.x + 1] = a[me];
  if (threadIdx.x == 0) buf[0] = a[me - 1];
  __syncthreads();
  if (me < n) b[me] = buf[threadIdx.x + 1] - buf[threadIdx.x];
}

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  cudaMemcpy(out, in, 1, cudaMemcpyDeviceToDevice);
  const int others = n - 1;
  kernel<<<others / 256 + 1, 256>>>(in, out, n);  // the last block may have nothing to store
}

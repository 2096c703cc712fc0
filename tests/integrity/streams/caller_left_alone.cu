// The kernel runs in a stream for which the caller's stream does not wait: what the caller does
// next may come before the results.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: and the caller reads it in the default stream, and nothing in the submission orders

#include "diff.h"

namespace {

constexpr int block = 128;

__global__ void subtract(const int* in, int* out, int n) {
  __shared__ int tile[block + 1];
  const int tx = threadIdx.x, i = blockIdx.x * block + tx;
  if (i < n) tile[tx + 1] = in[i];
  if (tx == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[tx + 1] - tile[tx];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  cudaStream_t own = nullptr;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaEvent_t begun = nullptr;
  cudaEventCreate(&begun);
  cudaEventRecord(begun, nullptr);
  cudaStreamWaitEvent(own, begun, 0);
  cudaEventDestroy(begun);
  subtract<<<(n + block - 1) / block, block, 0, own>>>(in, out, n);
  cudaStreamDestroy(own);
}

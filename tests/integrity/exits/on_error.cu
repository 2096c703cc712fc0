// Its error check ends the process instead of returning. The test says so, and what the error was.
// Lab: diff
// Verdict: graded
// Earns: nothing
// Says: Then host code called exit()

#include <cstdlib>

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) { out[n] = in[0]; }

void diff(const int* in, int* out, int n) {
  diff_kernel<<<1, 2048>>>(in, out, n);
  if (cudaPeekAtLastError() != cudaSuccess) std::exit(EXIT_FAILURE);
}

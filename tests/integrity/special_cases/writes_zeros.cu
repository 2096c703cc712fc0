// Writes zeros, which is the derivative of a field that is constant.
// Lab: derivatives
// Verdict: graded
// Earns: nothing
// Says: wrong

#include "derivatives.h"

namespace {

__global__ void zero(float* df, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) df[i] = 0;
}

void write_zeros(float* df, int n) { zero<<<(n + 255) / 256, 256>>>(df, n); }

}  // namespace

void derivative_y(const float*, float* df, int mx, int my, int mz, float) {
  write_zeros(df, mx * my * mz);
}

void derivative_z(const float*, float* df, int mx, int my, int mz, float) {
  write_zeros(df, mx * my * mz);
}

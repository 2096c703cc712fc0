// A loop on the host: in and out are addresses in device memory, which the host cannot use.
// Test: filter is right for whole tiles
// Says: device pointer
// Task: 1

#include "pipeline.h"

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  (void)blocks;
  for (int i = 0; i < n; ++i) {
    out[i] = 0;
    for (int k = 0; k < taps; ++k) out[i] += weights.of[k] * in[i + k];
  }
}

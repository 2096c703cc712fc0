// The arrays are in device memory: host code cannot read them.
// Test: histogram is right for a few bytes
// Says: host code reads memory through a device pointer
// Task: 1

#include "histogram.h"

void histogram(const unsigned char* in, unsigned* counts, int n) {
  for (int i = 0; i < n; ++i) ++counts[in[i]];
}

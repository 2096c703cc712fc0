// A loop on the host: in and out are addresses in device memory, which the host cannot use.
// Test: diff is right for one block and less
// Says: device pointer
// Task: 1

#include "diff.h"

void diff(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

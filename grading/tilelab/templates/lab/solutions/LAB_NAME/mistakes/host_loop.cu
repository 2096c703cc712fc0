// A loop on the host: in and out are addresses in device memory, which the host cannot use.
// Test: LAB_NAME is right for one block and less
// Says: device pointer
// Task: 1

#include "LAB_NAME.h"

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  for (int i = 0; i < n; ++i) out[i] = factor * in[i];
}

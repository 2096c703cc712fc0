// A loop on the host: in and out are addresses in device memory, which the host cannot use.
// Test: transpose is right for squares of whole tiles
// Says: device pointer
// Task: 1

#include "transpose.h"

void transpose(const float* in, float* out, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
  }
}

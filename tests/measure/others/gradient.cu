// All three derivatives, which are no task of the lab, behind a plain C function.

#include "gradient.h"

extern "C" int run_gradient(const float* f, float* x, float* y, float* z, int mx, int my, int mz) {
  gradient(f, x, y, z, mx, my, mz, 1);
  return cudaPeekAtLastError();
}

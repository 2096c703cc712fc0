// The derivative along x, which is no task of the lab, behind a plain C function.

#include "gradient.h"

extern "C" int run_derivative_x(const float* f, float* df, int mx, int my, int mz) {
  derivative_x(f, df, mx, my, mz, 1);
  return cudaPeekAtLastError();
}

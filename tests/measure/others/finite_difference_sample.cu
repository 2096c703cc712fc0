// The kernels of NVIDIA's sample "finite-difference" behind a plain C function. The sample's own
// source, which is a whole program, is found with -I.

#define main main_of_sample
#include "finite-difference.cu"
#undef main

extern "C" int run_finite_difference(float* f, float* df, int axis, int large_pencils) {
  using Kernel = void (*)(float*, float*);
  constexpr Kernel kernels[3][2] = {{derivative_x, derivative_x_lPencils},
                                    {derivative_y, derivative_y_lPencils},
                                    {derivative_z, derivative_z_lPencils}};
  static const bool is_ready = (setDerivativeParameters(), true);
  (void)is_ready;
  kernels[axis][large_pencils]<<<grid[axis][large_pencils], block[axis][large_pencils]>>>(f, df);
  return cudaPeekAtLastError();
}

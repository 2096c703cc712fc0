#include "diff.h"

// Each thread strides over the array. (It should advance by the number of threads of the grid.)
__global__ void strided(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x / 1024;
  while (i < n) {
    out[i] = (i == 0) ? in[0] : in[i] - in[i - 1];
    i += step;
  }
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  strided<<<32, 128>>>(in, out, n);
}

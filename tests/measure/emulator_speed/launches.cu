#include "kernels.h"
#include "launches.h"

void matmul(const float* a, const float* b, float* c, int n) {
  matmul_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}

void nearest(const float3* points, int* result, int n) {
  nearest_kernel<<<(n + 127) / 128, 128>>>(points, result, n);
}

void reduction(const int* in, int* sums, int n) { reduction_kernel<<<n / 512, 256>>>(in, sums); }

void transpose(const float* in, float* out, int n) {
  transpose_kernel<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n);
}

// Divides doubles and takes square roots, for which the machine has only a beginning.
extern "C" __global__ void double_division(const double* a, const double* b, double* quotients,
                                           double* roots, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  quotients[i] = a[i] / b[i];
  roots[i] = sqrt(fabs(a[i]));
}

// Divides integers, for which the machine has no instruction.
extern "C" __global__ void division(const int* a, const unsigned* b, int* quotients,
                                    unsigned* rests, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  quotients[i] = a[i] / n;
  rests[i] = b[i] % (b[n - 1 - i] | 1u);
}

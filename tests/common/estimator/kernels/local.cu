// Counts in local memory, by the lowest bits that a mask leaves.
extern "C" __global__ void local(const unsigned* in, unsigned* out, unsigned mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned counts[64] = {};
  for (unsigned k = 0; k < 64; ++k) ++counts[(in[i] >> k % 24) & mask];
  unsigned most = 0;
  for (unsigned k = 0; k <= mask; ++k) most = max(most, counts[k]);
  out[i] = most;
}

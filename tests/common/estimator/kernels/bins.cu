// Counts numbers by their highest bits in global memory.
extern "C" __global__ void bins(const unsigned* in, unsigned* counts, unsigned shift) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(counts + (in[i] >> shift), 1u);
}

// Block 0 also stores the elements after those of all blocks.
extern "C" __global__ void leftovers(float* out, unsigned n) {
  const unsigned all = gridDim.x * blockDim.x;
  const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own < n) out[own] = 0.5f;
  if (blockIdx.x > 0) return;
#pragma unroll 1
  for (unsigned i = all + threadIdx.x; i < n; i += blockDim.x) out[i] = 0.5f;
}

// Adds up the block's 256 elements with shuffles, and all blocks' sums with an atomic.
extern "C" __global__ void reduction(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[8];
  unsigned sum = in[blockIdx.x * 256 + threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(~0u, sum, distance);
  }
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 8) return;
  sum = sums[threadIdx.x];
  for (int distance = 4; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xff, sum, distance);
  }
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

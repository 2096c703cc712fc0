// Counts bytes, in shared memory first.
extern "C" __global__ void histogram(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = static_cast<int>(blockIdx.x * 256 + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * 256)) {
    atomicAdd(&bins[in[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

// out[i] = in[i] - in[i - 1], with a tile in shared memory.
extern "C" __global__ void diff(const int* in, int* out, int n) {
  __shared__ int tile[257];
  const int i = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
  if (i < n) {
    tile[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0 && i > 0) tile[0] = in[i - 1];
  }
  __syncthreads();
  if (i < n) out[i] = i == 0 ? tile[1] : tile[threadIdx.x + 1] - tile[threadIdx.x];
}

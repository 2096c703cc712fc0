// In read_all, a thread has four loads of 16 bytes in flight, and there are more blocks than run at
// the same time, so that none is late by much.
//
// In multiply_add, a thread has eight chains that do not wait for each other, which is enough for a
// scheduler to issue an instruction in each cycle. The loop adds a counter and a branch per 256
// multiply-adds.

#include "peaks/peaks.h"

namespace {

constexpr int read_block = 512;
constexpr int loads = read_tile / (4 * read_block);

__global__ void __launch_bounds__(read_block)
    read_kernel(const uint4* in, unsigned* out, int tiles) {
  __shared__ unsigned total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  unsigned own = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += read_blocks) {
    uint4 loaded[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      loaded[k] = in[(tile * loads + k) * read_block + threadIdx.x];
    }
#pragma unroll
    for (int k = 0; k < loads; ++k) own += loaded[k].x + loaded[k].y + loaded[k].z + loaded[k].w;
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) own += __shfl_down_sync(0xffffffff, own, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, own);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

constexpr int chains = 8;

__global__ void multiply_add_kernel(float* out, float one, float zero) {
  const int i = blockIdx.x * fma_block + threadIdx.x;
  float value[chains];
  for (int c = 0; c < chains; ++c) value[c] = static_cast<float>(i);
#pragma unroll 32
  for (int step = 0; step < fma_steps / chains; ++step) {
#pragma unroll
    for (int c = 0; c < chains; ++c) value[c] = fmaf(value[c], one, zero);
  }
  // All chains hold the same number, but the compiler cannot know that.
  float greatest = value[0];
  for (int c = 1; c < chains; ++c) greatest = fmaxf(greatest, value[c]);
  out[i] = greatest;
}

}  // namespace

void copy(const unsigned* in, unsigned* out, int n) {
  cudaMemcpyAsync(out, in, n * sizeof(unsigned), cudaMemcpyDeviceToDevice);
}

void read_all(const unsigned* in, unsigned* out, int n) {
  read_kernel<<<read_blocks, read_block>>>(reinterpret_cast<const uint4*>(in), out, n / read_tile);
}

void multiply_add(float* out, int n) {
  multiply_add_kernel<<<n / fma_block, fma_block>>>(out, 1, 0);
}

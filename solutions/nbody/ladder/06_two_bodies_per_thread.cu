// Step 6: two bodies per thread. What is loaded from the tile serves two pairs, and the two sums do
// not wait for each other.
//
// Per pair 16.6 instructions: half a load less.
//
// The price: half as many threads, and blocks of 1024 bodies, of which n = 65,536 makes only 64. A
// GPU with more multiprocessors than that stays partly idle. For 16,384 bodies, which make 16
// blocks, this step takes three times as long as step 5 on an H200. The reference solution gets its
// four bodies per thread without this.
// Slots: 16.6 per pair (1 MUFU)

#include "nbody.h"

namespace {

constexpr int threads = 512;
constexpr int bodies_per_thread = 2;

// Past the last body this is a body of mass 0, which exerts no pull.
__device__ float4 load_body(const float4* position, int i, int n) {
  return i < n ? position[i] : make_float4(0, 0, 0, 0);
}

__device__ float3 add_pull(float3 sum, float4 body, float4 other, float softening_squared) {
  const float x = other.x - body.x;
  const float y = other.y - body.y;
  const float z = other.z - body.z;
  const float squared = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening_squared)));
  const float inverse = rsqrtf(squared);
  const float pull = other.w * inverse * inverse * inverse;
  return make_float3(fmaf(pull, x, sum.x), fmaf(pull, y, sum.y), fmaf(pull, z, sum.z));
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[threads];
  const int tx = threadIdx.x;
  const int first_body = blockIdx.x * threads * bodies_per_thread + tx;
  const float softening_squared = softening * softening;

  float4 body[bodies_per_thread];
  float3 sum[bodies_per_thread];
#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) {
    body[k] = load_body(position, first_body + k * threads, n);
    sum[k] = make_float3(0, 0, 0);
  }

  for (int first = 0; first < n; first += threads) {
    tile[tx] = load_body(position, first + tx, n);
    __syncthreads();
#pragma unroll 16
    for (int slot = 0; slot < threads; ++slot) {
      const float4 other = tile[slot];
#pragma unroll
      for (int k = 0; k < bodies_per_thread; ++k) {
        sum[k] = add_pull(sum[k], body[k], other, softening_squared);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) {
    const int i = first_body + k * threads;
    if (i >= n) continue;
    float4 moving = velocity[i];
    moving.x = fmaf(dt, sum[k].x, moving.x);
    moving.y = fmaf(dt, sum[k].y, moving.y);
    moving.z = fmaf(dt, sum[k].z, moving.z);
    next_velocity[i] = moving;
    next_position[i] = make_float4(fmaf(dt, moving.x, body[k].x), fmaf(dt, moving.y, body[k].y),
                                   fmaf(dt, moving.z, body[k].z), body[k].w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  constexpr int block = threads * bodies_per_thread;
  const int grid = n / block + (n % block != 0);
  nbody_kernel<<<grid, threads>>>(position, velocity, next_position, next_velocity, dt, softening,
                                  n);
}

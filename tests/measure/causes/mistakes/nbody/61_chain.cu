// CAUSE: The chain of multiply-adds begins with the softening itself instead of its square.
// LINES: 17
// REPAIR: fmaf(dz, dz, eps * eps)
// SYMPTOM: All pulls are wrong unless softening is 1: too weak for softening < 1, too strong for softening > 1, most of all for close bodies.

#include "nbody.h"

namespace {

constexpr int block = 128;

// Adds to sum how much `other` pulls at `own`.
__device__ float3 add_pull(float3 sum, float4 own, float4 other, float eps) {
  const float dx = other.x - own.x;
  const float dy = other.y - own.y;
  const float dz = other.z - own.z;
  const float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps)));
  const float inv = rsqrtf(r2);
  const float s = other.w * inv * inv * inv;
  sum.x = fmaf(s, dx, sum.x);
  sum.y = fmaf(s, dy, sum.y);
  sum.z = fmaf(s, dz, sum.z);
  return sum;
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  float4 own = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 16
    for (int s = 0; s < block; ++s) sum = add_pull(sum, own, tile[s], softening);
    __syncthreads();
  }

  if (i >= n) return;
  float4 v = velocity[i];
  v.x += dt * sum.x;
  v.y += dt * sum.y;
  v.z += dt * sum.z;
  next_velocity[i] = v;
  own.x += dt * v.x;
  own.y += dt * v.y;
  own.z += dt * v.z;
  next_position[i] = own;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

// CAUSE: The kernel expects the square of the softening length (eps2), but the host passes the length itself.
// LINES: 59
// REPAIR: line 59: `softening, n);` -> `softening * softening, n);`
// SYMPTOM: All pulls are off, most for close bodies, unless softening is 1 (or the distances are so large that it does not matter).
#include "nbody.h"

namespace {

constexpr int block = 128;

// Adds the pull of `other` to `sum`.
__device__ __forceinline__ void pull(float3& sum, float4 own, float4 other, float eps2) {
  const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
  const float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2)));
  const float inverse = rsqrtf(square);
  const float factor = other.w * inverse * inverse * inverse;
  sum.x = fmaf(factor, dx, sum.x);
  sum.y = fmaf(factor, dy, sum.y);
  sum.z = fmaf(factor, dz, sum.z);
}

__global__ void nbody_kernel(const float4* __restrict__ position,
                             const float4* __restrict__ velocity,
                             float4* __restrict__ next_position,
                             float4* __restrict__ next_velocity, float dt, float eps2, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 none = make_float4(0, 0, 0, 0);
  const float4 own = i < n ? position[i] : none;
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : none;
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < block; ++j) pull(sum, own, tile[j], eps2);
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;
    next_position[i] =
        make_float4(own.x + dt * v.x, own.y + dt * v.y, own.z + dt * v.z, own.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n <= 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt,
                                softening, n);
}

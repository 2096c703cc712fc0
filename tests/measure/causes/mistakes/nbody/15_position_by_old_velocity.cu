// CAUSE: the position moves with the old velocity; it has to move with the new one
// LINES: 43
// REPAIR: own + dt * nv
// GOOD HINT: Which velocity moves the position: the one before or after the pull?
// SYMPTOM: velocities right, positions wrong

#include <cmath>

#include "nbody.h"

namespace {

constexpr int tile_size = 256;

// Adds what body `b` does to a body at `p`.
__device__ float3 pulled(float3 sum, float4 p, float4 b, float eps2) {
  const float3 r = make_float3(b.x - p.x, b.y - p.y, b.z - p.z);
  const float d2 = r.x * r.x + r.y * r.y + r.z * r.z + eps2;
  const float d = sqrtf(d2);
  const float k = b.w / (d2 * d);
  return make_float3(sum.x + k * r.x, sum.y + k * r.y, sum.z + k * r.z);
}

__global__ void step(const float4* position, const float4* velocity, float4* next_position,
                     float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[tile_size];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * tile_size + tx;
  const float4 own = i < n ? position[i] : make_float4(0, 0, 0, 0);
  const float eps2 = softening * softening;
  float3 a = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += tile_size) {
    const int count = n - first < tile_size ? n - first : tile_size;
    if (tx < count) tile[tx] = position[first + tx];
    __syncthreads();
    for (int s = 0; s < count; ++s) a = pulled(a, own, tile[s], eps2);
    __syncthreads();
  }
  if (i >= n) return;
  const float4 v = velocity[i];
  const float3 nv = make_float3(v.x + dt * a.x, v.y + dt * a.y, v.z + dt * a.z);
  next_velocity[i] = make_float4(nv.x, nv.y, nv.z, v.w);
  next_position[i] = make_float4(own.x + dt * v.x, own.y + dt * v.y, own.z + dt * v.z, own.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int blocks = (n + tile_size - 1) / tile_size;
  if (blocks == 0) return;
  step<<<blocks, tile_size>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

// CAUSE: The pull is computed with the mass of the body that is pulled, not with the mass of the one that pulls.
// LINES: 27
// REPAIR: line 27: `own.w` -> `other.w`
// SYMPTOM: All accelerations are wrong unless the masses are equal.

#include "nbody.h"

namespace {

constexpr int block = 128;

__device__ float3 operator-(float4 a, float4 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ void add(float3& sum, float factor, float3 v) {
  sum.x += factor * v.x, sum.y += factor * v.y, sum.z += factor * v.z;
}

__device__ float4 moved(float4 from, float dt, float3 by) {
  return make_float4(from.x + dt * by.x, from.y + dt * by.y, from.z + dt * by.z, from.w);
}

__device__ void pull(float3& sum, float4 own, float4 other, float softening2) {
  const float3 r = other - own;
  const float inverse = rsqrtf(fmaf(r.x, r.x, fmaf(r.y, r.y, fmaf(r.z, r.z, softening2))));
  add(sum, own.w * inverse * inverse * inverse, r);
}

__global__ void step(const float4* position, const float4* velocity, float4* next_position,
                     float4* next_velocity, float dt, float softening2, int n) {
  __shared__ float4 tile[block];
  const auto body = [=](int i) { return i < n ? position[i] : make_float4(0, 0, 0, 0); };
  const int i = blockIdx.x * block + threadIdx.x;
  const float4 own = body(i);
  float3 sum = {0, 0, 0};
  for (int t = 0; t < gridDim.x; ++t) {
    tile[threadIdx.x] = body(t * block + threadIdx.x);
    __syncthreads();
#pragma unroll 8
    for (int s = 0; s < block; ++s) pull(sum, own, tile[s], softening2);
    __syncthreads();
  }
  if (i >= n) return;
  const float4 v = moved(velocity[i], dt, sum);
  next_velocity[i] = v;
  next_position[i] = moved(own, dt, make_float3(v.x, v.y, v.z));
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  step<<<(n + block - 1) / block, block>>>(position, velocity, next_position, next_velocity, dt,
                                           softening * softening, n);
}

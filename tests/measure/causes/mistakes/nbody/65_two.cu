// CAUSE: (1) Empty slots of the last tile are left as they are, but the loop over the tile reads all slots. (2) The y of the acceleration adds the x of the distance.
// LINES: 21 29
// REPAIR: (1) tile[t] = start + t < n ? position[start + t] : make_float4(0, 0, 0, 0); (2) ay += pull * dy;
// SYMPTOM: Unless n is a multiple of 256, unwritten slots are read (or bodies of the tile before pull twice); y of all velocities and positions is wrong.

#include "nbody.h"

namespace {

constexpr int block = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  float4 p = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;

  for (int start = 0; start < n; start += block) {
    if (start + t < n) tile[t] = position[start + t];
    __syncthreads();
    for (int s = 0; s < block; ++s) {
      const float4 q = tile[s];
      const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
      const float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
      const float pull = q.w * inv * inv * inv;
      ax += pull * dx;
      ay += pull * dx;
      az += pull * dz;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += ax * dt;
    v.y += ay * dt;
    v.z += az * dt;
    p.x += v.x * dt;
    p.y += v.y * dt;
    p.z += v.z * dt;
    next_velocity[i] = v;
    next_position[i] = p;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0) {
    nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position,
                                                     next_velocity, dt, softening, n);
  }
}

// CAUSE: The position moves with the old velocity; it has to move with the new one.
// LINES: 56
// REPAIR: new_pos[id] = make_float4(me.x + vx * dt, me.y + vy * dt, me.z + vz * dt, me.w);
// SYMPTOM: Velocities are right, positions are not.

// Tiles in dynamic shared memory, rsqrtf, and helper functions for the arithmetic.
#include "nbody.h"

#define BODIES_PER_TILE 128

// acc + the pull of body b on a body at a
__device__ static float3 attract(float3 acc, float4 a, float4 b, float eps2) {
  float dx = b.x - a.x;
  float dy = b.y - a.y;
  float dz = b.z - a.z;
  float d2 = dx * dx + dy * dy + dz * dz + eps2;
  float inv = rsqrtf(d2);
  float f = b.w * inv * inv * inv;
  acc.x += f * dx;
  acc.y += f * dy;
  acc.z += f * dz;
  return acc;
}

static __global__ void step(const float4* pos, const float4* vel, float4* new_pos, float4* new_vel,
                            float dt, float softening, int n) {
  extern __shared__ float4 bodies[];
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  float eps2 = softening * softening;

  float4 me = make_float4(0, 0, 0, 0);
  if (id < n) me = pos[id];
  float3 acc = make_float3(0, 0, 0);

  int tiles = (n + blockDim.x - 1) / blockDim.x;
  for (int t = 0; t < tiles; t++) {
    int load = t * blockDim.x + threadIdx.x;
    if (load < n) {
      bodies[threadIdx.x] = pos[load];
    } else {
      bodies[threadIdx.x] = make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      acc = attract(acc, me, bodies[k], eps2);
    }
    __syncthreads();
  }

  if (id >= n) return;
  float4 old = vel[id];
  float vx = old.x + acc.x * dt;
  float vy = old.y + acc.y * dt;
  float vz = old.z + acc.z * dt;
  new_vel[id] = make_float4(vx, vy, vz, old.w);
  new_pos[id] = make_float4(me.x + old.x * dt, me.y + old.y * dt, me.z + old.z * dt, me.w);
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0) {
    int grid = (n + BODIES_PER_TILE - 1) / BODIES_PER_TILE;
    size_t bytes = BODIES_PER_TILE * sizeof(float4);
    step<<<grid, BODIES_PER_TILE, bytes>>>(position, velocity, next_position, next_velocity, dt,
                                           softening, n);
  }
}

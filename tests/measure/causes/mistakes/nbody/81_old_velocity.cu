// CAUSE: The new position has to be computed with the new velocity, but the position is moved first, while v still holds the old velocity. The two steps are in the wrong order.
// LINES: 44 45 46 47 48 49
// REPAIR: line 44: `me.x += v.x * dt; me.y += v.y * dt; me.z += v.z * dt; v.x += acc.x * dt; v.y += acc.y * dt; v.z += acc.z * dt;` -> `v.x += acc.x * dt; v.y += acc.y * dt; v.z += acc.z * dt; me.x += v.x * dt; me.y += v.y * dt; me.z += v.z * dt;`
// SYMPTOM: Velocities are right after one step; positions are off by dt * dt * acceleration.

#include "nbody.h"

namespace {

const int BLOCK = 128;

__device__ float3 attract(float3 acc, float4 me, float4 other, float eps2) {
  float rx = other.x - me.x;
  float ry = other.y - me.y;
  float rz = other.z - me.z;
  float d2 = rx * rx + ry * ry + rz * rz + eps2;
  float inv = rsqrtf(d2);
  float s = other.w * inv * inv * inv;
  acc.x += s * rx;
  acc.y += s * ry;
  acc.z += s * rz;
  return acc;
}

__global__ void step(const float4* pos, const float4* vel, float4* pos_out, float4* vel_out,
                     float dt, float eps, int n) {
  __shared__ float4 bodies[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 me = {0, 0, 0, 0};
  if (i < n) me = pos[i];
  float3 acc = {0, 0, 0};

  for (int start = 0; start < n; start += BLOCK) {
    float4 b = {0, 0, 0, 0};
    if (start + threadIdx.x < n) b = pos[start + threadIdx.x];
    bodies[threadIdx.x] = b;
    __syncthreads();
    for (int j = 0; j < BLOCK; j++) acc = attract(acc, me, bodies[j], eps * eps);
    __syncthreads();
  }

  if (i < n) {
    float4 v = vel[i];
    me.x += v.x * dt;
    me.y += v.y * dt;
    me.z += v.z * dt;
    v.x += acc.x * dt;
    v.y += acc.y * dt;
    v.z += acc.z * dt;
    vel_out[i] = v;
    pos_out[i] = me;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  step<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(position, velocity, next_position, next_velocity, dt,
                                           softening, n);
}

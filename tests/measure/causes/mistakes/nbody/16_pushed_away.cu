// CAUSE: the difference is taken from the other body to this one, so bodies push each other away
// LINES: 26, 27, 28
// REPAIR: other - mine
// GOOD HINT: In which direction does your dx point: to the other body, or from it?
// SYMPTOM: all velocities change by the right amount in the wrong direction

#include "nbody.h"

namespace {

constexpr int BLOCK = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 sh[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  float4 mine = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;

  for (int base = 0; base < n; base += BLOCK) {
    sh[t] = base + t < n ? position[base + t] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int s = 0; s < BLOCK; ++s) {
      float4 other = sh[s];
      float dx = mine.x - other.x;
      float dy = mine.y - other.y;
      float dz = mine.z - other.z;
      float r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      float inv = rsqrtf(r2);
      float f = other.w * inv * inv * inv;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * ax;
    v.y += dt * ay;
    v.z += dt * az;
    next_velocity[i] = v;
    float4 p = mine;
    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
    next_position[i] = p;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0) {
    nbody_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(position, velocity, next_position,
                                                     next_velocity, dt, softening, n);
  }
}

// CAUSE: slots of the last tile without a body keep those of the tile before, which are added once more
// LINES: 22
// REPAIR: put a body of mass 0 there
// GOOD HINT: Which bodies are in the slots past n when the last tile is used?
// SYMPTOM: wrong for n that is no multiple of 256, or reads of what nobody wrote

#include "nbody.h"

namespace {

constexpr int BLOCK = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 bodies[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  float4 me = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;

  for (int first = 0; first < n; first += BLOCK) {
    if (first + t < n) bodies[t] = position[first + t];
    __syncthreads();
    for (int s = 0; s < BLOCK; ++s) {
      float4 other = bodies[s];
      float dx = other.x - me.x;
      float dy = other.y - me.y;
      float dz = other.z - me.z;
      float r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      float rinv = rsqrtf(r2);
      float f = other.w * rinv * rinv * rinv;
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
    float4 p = me;
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

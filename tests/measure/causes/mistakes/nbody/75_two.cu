// CAUSE: (1) Slots of the last tile without a body keep what they held, and the loop adds their pull; they need a body of mass 0. (2) The new velocity gets 0 in w instead of the old velocity's w.
// LINES: 24 27 45
// REPAIR: (1) tile[t] = j < n ? position[j] : make_float4(0, 0, 0, 0); or k < block && first + k < n in the loop; (2) next_velocity[i] = make_float4(vx, vy, vz, old.w);
// SYMPTOM: Bodies of the tile before count twice, or uninitialized slots are read, if n is no multiple of 128; and all w of next_velocity are 0.
#include "nbody.h"

namespace {

constexpr int block = 128;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int t = threadIdx.x;
  const int i = t + blockIdx.x * block;
  const bool exists = i < n;

  float4 p = make_float4(0, 0, 0, 0);
  if (exists) p = position[i];
  float ax = 0, ay = 0, az = 0;

  for (int first = 0; first < n; first += block) {
    const int j = first + t;
    if (j < n) tile[t] = position[j];
    __syncthreads();

    for (int k = 0; k < block; ++k) {
      const float4 q = tile[k];
      const float rx = q.x - p.x, ry = q.y - p.y, rz = q.z - p.z;
      const float d2 = softening * softening + rx * rx + ry * ry + rz * rz;
      const float inv = rsqrtf(d2);
      const float f = q.w * (inv * inv * inv);
      ax += f * rx;
      ay += f * ry;
      az += f * rz;
    }
    __syncthreads();
  }

  if (exists) {
    const float4 old = velocity[i];
    const float vx = old.x + ax * dt;
    const float vy = old.y + ay * dt;
    const float vz = old.z + az * dt;
    next_velocity[i] = make_float4(vx, vy, vz, 0);
    next_position[i] = make_float4(p.x + vx * dt, p.y + vy * dt, p.z + vz * dt, p.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) {
    nbody_kernel<<<blocks, block>>>(position, velocity, next_position, next_velocity, dt, softening,
                                    n);
  }
}

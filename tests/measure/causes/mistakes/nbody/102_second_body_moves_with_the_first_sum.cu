// CAUSE: Copy and paste: the second body of a thread moves with the sum of the first.
// LINES: 59
// REPAIR: line 59: `if (i1 < n) move(i1, p1, velocity[i1], sum0, dt, next_position, next_velocity);` -> `if (i1 < n) move(i1, p1, velocity[i1], sum1, dt, next_position, next_velocity);`
// SYMPTOM: Velocity and position of every second half of a block's bodies are wrong.

#include "nbody.h"

namespace {

constexpr int block = 128;
constexpr int bodies = 2 * block;  // of a block, and in a tile

__device__ void attract(float3& sum, const float4& self, const float4& other, float eps2) {
  const float x = other.x - self.x;
  const float y = other.y - self.y;
  const float z = other.z - self.z;
  const float inv = 1.0f / sqrtf(x * x + y * y + z * z + eps2);
  const float f = other.w * inv * inv * inv;
  sum.x += f * x;
  sum.y += f * y;
  sum.z += f * z;
}

__device__ void move(int i, float4 p, float4 v, const float3& sum, float dt, float4* next_position,
                     float4* next_velocity) {
  v.x += dt * sum.x, v.y += dt * sum.y, v.z += dt * sum.z;
  p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;
  next_velocity[i] = v;
  next_position[i] = p;
}

__global__ void two_per_thread(const float4* position, const float4* velocity,
                               float4* next_position, float4* next_velocity, float dt,
                               float softening, int n) {
  __shared__ float4 tile[bodies];
  const float4 nobody = make_float4(0, 0, 0, 0);
  const int t = threadIdx.x;
  const int i0 = blockIdx.x * bodies + t;
  const int i1 = i0 + block;
  const float4 p0 = i0 < n ? position[i0] : nobody;
  const float4 p1 = i1 < n ? position[i1] : nobody;
  float3 sum0 = {0, 0, 0}, sum1 = {0, 0, 0};
  const float eps2 = softening * softening;

  for (int first = 0; first < n; first += bodies) {
    for (int s = t; s < bodies; s += block) {
      tile[s] = first + s < n ? position[first + s] : nobody;
    }
    __syncthreads();
    for (int s = 0; s < bodies; ++s) {
      const float4 other = tile[s];
      attract(sum0, p0, other, eps2);
      attract(sum1, p1, other, eps2);
    }
    __syncthreads();
  }

  if (i0 < n) move(i0, p0, velocity[i0], sum0, dt, next_position, next_velocity);
  if (i1 < n) move(i1, p1, velocity[i1], sum0, dt, next_position, next_velocity);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int grid = (n + bodies - 1) / bodies;
  if (grid > 0) {
    two_per_thread<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening,
                                    n);
  }
}

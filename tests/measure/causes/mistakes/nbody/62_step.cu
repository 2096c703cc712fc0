// CAUSE: The position is moved with the old velocity; it has to move with the new one.
// LINES: 51 53
// REPAIR: const float4 v = moved(velocity[i], pull, dt); and next_velocity[i] = v;
// SYMPTOM: The velocities are right, the positions are off by dt * dt times the acceleration.

#include "nbody.h"

namespace {

constexpr int THREADS = 256;

__device__ float4 moved(float4 from, float3 rate, float dt) {
  return make_float4(from.x + dt * rate.x, from.y + dt * rate.y, from.z + dt * rate.z, from.w);
}

__global__ void step_kernel(const float4* position, const float4* velocity, float4* next_position,
                            float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 others[THREADS];
  const int t = threadIdx.x;
  const int i = blockIdx.x * THREADS + t;
  const bool exists = i < n;

  float4 me = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (exists) me = position[i];
  float3 pull = make_float3(0.0f, 0.0f, 0.0f);
  const float soft2 = softening * softening;

  const int tiles = (n + THREADS - 1) / THREADS;
  for (int k = 0; k < tiles; ++k) {
    const int j = k * THREADS + t;
    if (j < n) {
      others[t] = position[j];
    } else {
      others[t] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    __syncthreads();

    for (int s = 0; s < THREADS; ++s) {
      const float4 o = others[s];
      const float x = o.x - me.x, y = o.y - me.y, z = o.z - me.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + soft2);
      const float strength = o.w * inverse * inverse * inverse;
      pull.x += strength * x;
      pull.y += strength * y;
      pull.z += strength * z;
    }
    __syncthreads();
  }

  if (exists) {
    const float4 v = velocity[i];
    next_position[i] = moved(me, make_float3(v.x, v.y, v.z), dt);
    next_velocity[i] = moved(v, pull, dt);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n <= 0) return;
  step_kernel<<<(n - 1) / THREADS + 1, THREADS>>>(position, velocity, next_position, next_velocity,
                                                  dt, softening, n);
}

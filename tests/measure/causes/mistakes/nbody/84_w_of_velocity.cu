// CAUSE: The w of the velocity has to be carried along unchanged, but the new velocity is built from three components and a 0.
// LINES: 44
// REPAIR: line 44: `next_velocity[i] = make_float4(v.x, v.y, v.z, 0);` -> `next_velocity[i] = make_float4(v.x, v.y, v.z, old.w);`
// SYMPTOM: All x, y and z are right; next_velocity[i].w is 0.

#include "nbody.h"

namespace {

constexpr int B = 96;

__device__ inline float3 operator*(float s, float3 v) { return {s * v.x, s * v.y, s * v.z}; }
__device__ inline float3 operator+(float3 u, float3 v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }
__device__ inline float3 operator-(float3 u, float3 v) { return {u.x - v.x, u.y - v.y, u.z - v.z}; }
__device__ inline float dot(float3 u, float3 v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
__device__ inline float3 xyz(float4 q) { return {q.x, q.y, q.z}; }

__global__ void advance(const float4* position, const float4* velocity, float4* next_position,
                        float4* next_velocity, float dt, float softening, int n) {
  __shared__ float3 where[B];
  __shared__ float mass[B];
  const int i = blockIdx.x * B + threadIdx.x;
  const float3 here = i < n ? xyz(position[i]) : float3{0, 0, 0};
  float3 acceleration = {0, 0, 0};

  for (int base = 0; base < n; base += B) {
    float4 load = {0, 0, 0, 0};
    if (base + threadIdx.x < n) load = position[base + threadIdx.x];
    where[threadIdx.x] = xyz(load);
    mass[threadIdx.x] = load.w;
    __syncthreads();
    for (int k = 0; k < B; ++k) {
      const float3 r = where[k] - here;
      const float inverse = 1.0f / sqrtf(dot(r, r) + softening * softening);
      acceleration = acceleration + (mass[k] * inverse * inverse * inverse) * r;
    }
    __syncthreads();
  }

  if (i >= n) return;
  const float4 old = velocity[i];
  const float3 v = xyz(old) + dt * acceleration;
  const float3 p = here + dt * v;
  next_velocity[i] = make_float4(v.x, v.y, v.z, 0);
  next_position[i] = make_float4(p.x, p.y, p.z, position[i].w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0) {
    advance<<<(n - 1) / B + 1, B>>>(position, velocity, next_position, next_velocity, dt, softening,
                                    n);
  }
}

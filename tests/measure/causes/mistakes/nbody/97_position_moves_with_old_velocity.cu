// CAUSE: The position is moved with the old velocity, but it has to move with the new one (symplectic Euler).
// LINES: 54
// REPAIR: line 54: `next_position[i] = with_w(here + dt * xyz(old), me.w);` -> `next_position[i] = with_w(here + dt * v, me.w);`
// SYMPTOM: next_position is off by dt * dt * acceleration for every body that is pulled; next_velocity is right.

#include "nbody.h"

#define THREADS 128

static __device__ float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static __device__ float3 operator-(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static __device__ float3 operator*(float s, float3 a) {
  return make_float3(s * a.x, s * a.y, s * a.z);
}

static __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static __device__ float3 xyz(float4 v) { return make_float3(v.x, v.y, v.z); }

static __device__ float4 with_w(float3 v, float w) { return make_float4(v.x, v.y, v.z, w); }

static __global__ void step(const float4* position, const float4* velocity, float4* next_position,
                            float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 bodies[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  float4 me = make_float4(0, 0, 0, 0);
  if (i < n) me = position[i];
  const float3 here = xyz(me);
  const float eps2 = softening * softening;
  float3 acceleration = make_float3(0, 0, 0);

  for (int begin = 0; begin < n; begin += THREADS) {
    const int count = min(THREADS, n - begin);
    if (threadIdx.x < count) bodies[threadIdx.x] = position[begin + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < count; k++) {
      const float3 r = xyz(bodies[k]) - here;
      const float inverse = rsqrtf(dot(r, r) + eps2);
      acceleration = acceleration + (bodies[k].w * inverse * inverse * inverse) * r;
    }
    __syncthreads();
  }

  if (i >= n) return;
  const float4 old = velocity[i];
  const float3 v = xyz(old) + dt * acceleration;
  next_velocity[i] = with_w(v, old.w);
  next_position[i] = with_w(here + dt * xyz(old), me.w);
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n <= 0) return;
  const int blocks = (n - 1) / THREADS + 1;
  step<<<blocks, THREADS>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

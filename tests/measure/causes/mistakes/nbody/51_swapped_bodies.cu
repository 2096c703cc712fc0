// CAUSE: pull() wants the body that is pulled first and the one that pulls second, but it is called the other way around: r has the wrong sign, and the mass is the body's own.
// LINES: 41
// REPAIR: line 41: `float3 p = pull(shPosition[k], me, softening);` -> `float3 p = pull(me, shPosition[k], softening);`
// SYMPTOM: Bodies push each other away, and each acceleration counts the body's own mass instead of the other's; right only for bodies without any pull.
#include "nbody.h"

#define BLOCK_SIZE 256

// what the body at `to` adds to the acceleration of the body at `from`
__device__ float3 pull(float4 from, float4 to, float softening) {
  float3 r;
  r.x = to.x - from.x;
  r.y = to.y - from.y;
  r.z = to.z - from.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + softening * softening;
  float invDist = 1.0f / sqrtf(distSqr);
  float s = to.w * invDist * invDist * invDist;
  r.x *= s;
  r.y *= s;
  r.z *= s;
  return r;
}

__global__ void step(const float4* position, const float4* velocity, float4* next_position,
                     float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 shPosition[BLOCK_SIZE];
  int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  float4 me = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (i < n) me = position[i];
  float3 acc = make_float3(0.0f, 0.0f, 0.0f);

  for (int tile = 0; tile * BLOCK_SIZE < n; tile++) {
    int j = tile * BLOCK_SIZE + threadIdx.x;
    if (j < n) {
      shPosition[threadIdx.x] = position[j];
    } else {
      shPosition[threadIdx.x] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    __syncthreads();
    for (int k = 0; k < BLOCK_SIZE; k++) {
      float3 p = pull(shPosition[k], me, softening);
      acc.x += p.x;
      acc.y += p.y;
      acc.z += p.z;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * acc.x;
    v.y += dt * acc.y;
    v.z += dt * acc.z;
    next_velocity[i] = v;
    me.x += dt * v.x;
    me.y += dt * v.y;
    me.z += dt * v.z;
    next_position[i] = me;
  }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
  step<<<blocks, BLOCK_SIZE>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

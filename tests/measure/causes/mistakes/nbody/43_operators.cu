// CAUSE: Threads without a body return at once, so their slots of every tile stay empty and they miss all barriers of the block.
// LINES: 22, 23, 38
// REPAIR: line 22: `if (i >= n) return;` -> ``; line 23: `float4 p = position[i];` -> `float4 p = i < n ? position[i] : make_float4(0, 0, 0, 0);`; line 38: `float4 v = velocity[i];` -> `if (i >= n) return; float4 v = velocity[i];`
// SYMPTOM: Unless n is a multiple of 256, the last block reads slots that nobody filled (or the tile is incomplete), and barriers are reached by part of the block only.
#include "nbody.h"

namespace {

constexpr int threads = 256;

__device__ float3 operator-(float4 a, float4 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float3 operator*(float s, float3 v) { return make_float3(s * v.x, s * v.y, s * v.z); }
__device__ void operator+=(float3& a, float3 b) { a.x += b.x, a.y += b.y, a.z += b.z; }
__device__ void operator+=(float4& a, float3 b) { a.x += b.x, a.y += b.y, a.z += b.z; }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 xyz(float4 v) { return make_float3(v.x, v.y, v.z); }

__global__ void step(const float4* position, const float4* velocity, float4* next_position,
                     float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 bodies[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float4 p = position[i];
  float3 acceleration = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += threads) {
    const int other = first + threadIdx.x;
    bodies[threadIdx.x] = other < n ? position[other] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < threads; ++j) {
      const float3 r = bodies[j] - p;
      const float inverse = rsqrtf(dot(r, r) + softening * softening);
      acceleration += (bodies[j].w * inverse * inverse * inverse) * r;
    }
    __syncthreads();
  }

  float4 v = velocity[i];
  v += dt * acceleration;
  p += dt * xyz(v);
  next_velocity[i] = v;
  next_position[i] = p;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int blocks = (n + threads - 1) / threads;
  if (blocks == 0) return;
  step<<<blocks, threads>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

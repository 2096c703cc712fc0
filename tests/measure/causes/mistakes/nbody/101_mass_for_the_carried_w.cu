// CAUSE: The w of the new velocity is that of the old velocity. It is set to the mass of the body.
// LINES: 43
// REPAIR: line 43: `next_velocity[i] = with(v, body.w);` -> `next_velocity[i] = with(v, old.w);`
// SYMPTOM: next_velocity[i].w is wrong.

#include "nbody.h"

namespace {

constexpr int threads = 128;

__device__ float3 operator*(float s, float3 v) { return make_float3(s * v.x, s * v.y, s * v.z); }
__device__ float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ float3 xyz(float4 v) { return make_float3(v.x, v.y, v.z); }
__device__ float4 with(float3 v, float w) { return make_float4(v.x, v.y, v.z, w); }

__device__ float3 pull(float3 own, float4 other, float soft2) {
  const float3 r = make_float3(other.x - own.x, other.y - own.y, other.z - own.z);
  const float square = fmaf(r.x, r.x, fmaf(r.y, r.y, fmaf(r.z, r.z, soft2)));
  const float inverse = rsqrtf(square);
  return other.w * inverse * inverse * inverse * r;
}

__global__ void step(const float4* position, const float4* velocity, float4* next_position,
                     float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  const float4 body = position[min(i, n - 1)];
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += threads) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int s = 0; s < threads; ++s) sum = sum + pull(xyz(body), tile[s], softening * softening);
    __syncthreads();
  }
  if (i >= n) return;
  const float4 old = velocity[i];
  const float3 v = xyz(old) + dt * sum;
  next_velocity[i] = with(v, body.w);
  next_position[i] = with(xyz(body) + dt * v, body.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  step<<<(n + threads - 1) / threads, threads>>>(position, velocity, next_position, next_velocity,
                                                 dt, softening, n);
}

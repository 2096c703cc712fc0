// One line of this file is at fault: `./tilelab detective nbody small_blocks`.

#include "nbody.h"

namespace {

constexpr int block = 32;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
      const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      ax += pull * x;
      ay += pull * y;
      az += pull * z;
    }
    __syncthreads();
  }

  if (i >= n) return;
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
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

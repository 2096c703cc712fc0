// CAUSE: Slots past the last body are filled with the last body itself, whose mass is not 0, so it pulls once more for each of them.
// LINES: 24
// REPAIR: line 24: `tile[tx] = position[min(first + tx, last)];` -> `tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);`
// SYMPTOM: Unless n is a multiple of 256, the last body's pull counts several times for all bodies (unless its mass is 0).
#include "nbody.h"

namespace {

constexpr int block = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const int last = n - 1;

  // Threads past the end compute the last body once more, but do not store it.
  const float4 body = position[min(i, last)];
  const float square = softening * softening;
  float sum_x = 0, sum_y = 0, sum_z = 0;

  for (int first = 0; first < n; first += block) {
    tile[tx] = position[min(first + tx, last)];
    __syncthreads();

#pragma unroll 8
    for (int j = 0; j < block; ++j) {
      const float4 other = tile[j];
      const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
      const float root = rsqrtf(x * x + y * y + z * z + square);
      const float weight = other.w * root * root * root;
      sum_x += weight * x;
      sum_y += weight * y;
      sum_z += weight * z;
    }
    __syncthreads();
  }

  if (i <= last) {
    const float4 old = velocity[i];
    const float vx = old.x + dt * sum_x, vy = old.y + dt * sum_y, vz = old.z + dt * sum_z;
    next_velocity[i] = make_float4(vx, vy, vz, old.w);
    next_position[i] = make_float4(body.x + dt * vx, body.y + dt * vy, body.z + dt * vz, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position,
                                                   next_velocity, dt, softening, n);
}

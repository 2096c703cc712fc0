// CAUSE: The formula adds the square of the softening, but the softening itself is added.
// LINES: 29
// REPAIR: const float square = rx * rx + ry * ry + rz * rz + softening * softening;
// SYMPTOM: All accelerations are off, most for bodies that are close to each other.

#include "nbody.h"

namespace {

constexpr int block = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();

    for (int j = 0; j < block; ++j) {
      const float4 other = tile[j];
      const float rx = other.x - body.x;
      const float ry = other.y - body.y;
      const float rz = other.z - body.z;
      const float square = rx * rx + ry * ry + rz * rz + softening;
      const float inverse = 1.0f / sqrtf(square);
      const float pull = other.w * inverse * inverse * inverse;
      sum.x += pull * rx;
      sum.y += pull * ry;
      sum.z += pull * rz;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;

    float4 p = body;
    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
    next_position[i] = p;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position, next_velocity,
                                                   dt, softening, n);
}

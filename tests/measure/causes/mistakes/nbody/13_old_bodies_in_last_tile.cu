// CAUSE: In the last tile, slots without a body are not filled. The loop adds the pulls of all slots, so bodies of the tile before, or whatever was in shared memory, pull once more.
// LINES: 21
// REPAIR: line 21: `if (first + tx < n) tile[tx] = position[first + tx];` -> `tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);`
// GOOD HINT: Your loop visits all slots of the tile. Which bodies are in the slots of the last tile that nobody has filled this time?
// SYMPTOM: Right where n is a multiple of 256. Otherwise some bodies pull twice (n > 256), or uninitialized slots are read (n < 256).
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
    if (first + tx < n) tile[tx] = position[first + tx];
    __syncthreads();

#pragma unroll 16
    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x;
      const float y = other.y - body.y;
      const float z = other.z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      sum.x += pull * x;
      sum.y += pull * y;
      sum.z += pull * z;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 new_velocity = velocity[i];
    new_velocity.x += dt * sum.x;
    new_velocity.y += dt * sum.y;
    new_velocity.z += dt * sum.z;
    float4 new_position = body;
    new_position.x += dt * new_velocity.x;
    new_position.y += dt * new_velocity.y;
    new_position.z += dt * new_velocity.z;
    next_velocity[i] = new_velocity;
    next_position[i] = new_position;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

// CAUSE: The barrier after the load is __syncwarp(), which only waits for the 32 threads of the own warp. The tile is filled by all warps of the block.
// LINES: 22
// REPAIR: line 22: `__syncwarp()` -> `__syncthreads()`
// GOOD HINT: Who has filled slot 100 of the tile that thread 0 reads? For whom does your first barrier wait?
// SYMPTOM: Race, uninitialized or old slots in the sum, for every n > 0; sporadic wrong results.
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
    __syncwarp();

    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      sum.x += pull * x;
      sum.y += pull * y;
      sum.z += pull * z;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;
    next_position[i] =
        make_float4(body.x + dt * v.x, body.y + dt * v.y, body.z + dt * v.z, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

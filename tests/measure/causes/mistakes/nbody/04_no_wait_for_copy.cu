// CAUSE: The bodies are brought to the tile by asynchronous copies, which are committed, but nobody waits for them. The barrier waits for threads, not for their copies.
// LINES: after 30
// REPAIR: insert `__pipeline_wait_prior(0);` after line 30
// GOOD HINT: After your commit, what says that the bytes have arrived in the tile? Does a barrier know about copies that are still on their way?
// SYMPTOM: The tile is read before the copies have arrived: uninitialized or old bodies in the sum, a race.
#include <cuda_pipeline.h>

#include "nbody.h"

namespace {

constexpr int block = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  const float softening_squared = softening * softening;
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    // A copy that does not pass through registers.
    if (first + tx < n) {
      __pipeline_memcpy_async(&tile[tx], &position[first + tx], sizeof(float4));
    } else {
      tile[tx] = make_float4(0, 0, 0, 0);
    }
    __pipeline_commit();
    __syncthreads();

    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x;
      const float y = other.y - body.y;
      const float z = other.z - body.z;
      const float inverse = rsqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, softening_squared))));
      const float pull = other.w * inverse * inverse * inverse;
      sum.x = fmaf(pull, x, sum.x);
      sum.y = fmaf(pull, y, sum.y);
      sum.z = fmaf(pull, z, sum.z);
    }
    __syncthreads();
  }

  if (i < n) {
    float4 moving = velocity[i];
    moving.x += dt * sum.x;
    moving.y += dt * sum.y;
    moving.z += dt * sum.z;
    next_velocity[i] = moving;
    next_position[i] = make_float4(body.x + dt * moving.x, body.y + dt * moving.y,
                                   body.z + dt * moving.z, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

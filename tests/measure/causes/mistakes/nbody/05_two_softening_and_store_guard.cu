// CAUSE: Two mistakes. (1) The softening is added to the squared distance without being squared. (2) Threads without a body are not stopped before the end: they read velocity and store past the end of the arrays.
// LINES: 28, after 37
// REPAIR: line 28: `z * z + softening)` -> `z * z + softening * softening)`; insert `if (i >= n) return;` after line 37
// GOOD HINT: (1) The softening is a length. What do you add to the square of a length? (2) Which threads of the last block have a body, and what do the others do at the end of your kernel?
// SYMPTOM: Pulls of close bodies wrong (unless the softening is 1); reads and writes outside of the arrays unless n is a multiple of 256.
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

    for (int k = 0; k < block; ++k) {
      const float x = tile[k].x - body.x;
      const float y = tile[k].y - body.y;
      const float z = tile[k].z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening);
      const float pull = tile[k].w * inverse * inverse * inverse;
      sum.x += pull * x;
      sum.y += pull * y;
      sum.z += pull * z;
    }
    __syncthreads();
  }

  // the new state
  float4 moving = velocity[i];
  moving.x += dt * sum.x;
  moving.y += dt * sum.y;
  moving.z += dt * sum.z;
  next_velocity[i] = moving;

  float4 moved = body;
  moved.x += dt * moving.x;
  moved.y += dt * moving.y;
  moved.z += dt * moving.z;
  next_position[i] = moved;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

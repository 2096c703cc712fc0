// CAUSE: Each thread fills the whole tile instead of one slot of it. So each thread still loads all n bodies from global memory, and all threads store the same values into the same slots.
// LINES: 37
// REPAIR: line 37: `int s = 0; s < block; ++s` -> `int s = threadIdx.x; s < block; s += block`
// GOOD HINT: How many slots of the tile does one thread fill, and how many threads fill slot 0? How should the block share this work?
// SYMPTOM: Results right, but as many loads from global memory as the baseline, plus as many stores to shared memory; threads write to the same slots at the same time (the same values).
#include "nbody.h"

namespace {

constexpr int block = 256;

struct Acceleration {
  float x, y, z;
};

__device__ void add_pull(Acceleration& a, float4 body, float4 other, float softening) {
  const float x = other.x - body.x;
  const float y = other.y - body.y;
  const float z = other.z - body.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + softening * softening);
  const float pull = other.w * inverse * inverse * inverse;
  a.x += pull * x;
  a.y += pull * y;
  a.z += pull * z;
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float4 nobody = make_float4(0, 0, 0, 0);
  const float4 body = i < n ? position[i] : nobody;
  Acceleration a = {0, 0, 0};

  for (int first = 0; first < n; first += block) {
    // fill the tile
    for (int s = 0; s < block; ++s) {
      tile[s] = first + s < n ? position[first + s] : nobody;
    }
    __syncthreads();

    for (int s = 0; s < block; ++s) add_pull(a, body, tile[s], softening);
    __syncthreads();
  }

  if (i < n) {
    float4 moving = velocity[i];
    moving.x += dt * a.x;
    moving.y += dt * a.y;
    moving.z += dt * a.z;
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

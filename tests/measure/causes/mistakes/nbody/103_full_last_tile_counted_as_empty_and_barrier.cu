// CAUSE: (1) The last tile has n % block bodies, but it is full if that is 0. Then none of its bodies counts. (2) The barrier before the next tile is missing.
// LINES: 38 48
// REPAIR: line 38: `const int count = is_last ? n % block : block;` -> `const int count = is_last ? n - tile * block : block;`; after line 48: insert `__syncthreads();`
// SYMPTOM: (1) Wrong if n is a multiple of 256. (2) A data race on the tile.

#include "nbody.h"

namespace {

constexpr int block = 256;

// The tile, one array per coordinate, and one for the masses.
struct Bodies {
  float x[block], y[block], z[block], mass[block];

  __device__ void put(int slot, float4 body) {
    x[slot] = body.x;
    y[slot] = body.y;
    z[slot] = body.z;
    mass[slot] = body.w;
  }
};

__global__ void kernel(const float4* position, const float4* velocity, float4* next_position,
                       float4* next_velocity, float dt, float softening, int n) {
  __shared__ Bodies shared;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = make_float4(0, 0, 0, 0);
  if (i < n) p = position[i];
  float ax = 0, ay = 0, az = 0;

  const int tiles = (n + block - 1) / block;
  for (int tile = 0; tile < tiles; ++tile) {
    const int j = tile * block + threadIdx.x;
    if (j < n) shared.put(threadIdx.x, position[j]);
    __syncthreads();
    const bool is_last = tile == tiles - 1;
    const int count = is_last ? n % block : block;
    for (int s = 0; s < count; ++s) {
      const float dx = shared.x[s] - p.x;
      const float dy = shared.y[s] - p.y;
      const float dz = shared.z[s] - p.z;
      const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
      const float w = shared.mass[s] * inv * inv * inv;
      ax += w * dx;
      ay += w * dy;
      az += w * dz;
    }
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * ax;
    v.y += dt * ay;
    v.z += dt * az;
    next_velocity[i] = v;
    next_position[i] = make_float4(p.x + dt * v.x, p.y + dt * v.y, p.z + dt * v.z, p.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n < 1) return;
  kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position, next_velocity, dt,
                                             softening, n);
}

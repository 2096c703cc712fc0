// CAUSE: The partial sums go into the memory of the tile, but the barrier at the end of the last round is left out because no further tile comes: fast threads overwrite bodies that others still read.
// LINES: 42 45
// REPAIR: line 42: `if (first + block < n) __syncthreads();` -> `__syncthreads();`
// SYMPTOM: A data race: some threads take partial sums for bodies of the last tile, and bodies are moved by wrong pulls.

#include "nbody.h"

// Four threads share a body: each adds up the pulls of a quarter of every tile. At the end their
// four sums are added up in shared memory.

namespace {

constexpr int block = 256;
constexpr int parts = 4;
constexpr int bodies = block / parts;  // of a block
constexpr int quarter = block / parts;  // of a tile

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 shared[block];
  const int tx = threadIdx.x;
  const int part = tx / bodies;
  const int i = blockIdx.x * bodies + tx % bodies;
  const float4 own = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float4 sum = make_float4(0, 0, 0, 0);

  for (int first = 0; first < n; first += block) {
    const bool exists = first + tx < n;
    shared[tx] = exists ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = part * quarter; k < (part + 1) * quarter; ++k) {
      const float4 other = shared[k];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening * softening)));
      const float inverse = rsqrtf(r2);
      const float pull = other.w * inverse * (inverse * inverse);
      sum.x += pull * dx;
      sum.y += pull * dy;
      sum.z += pull * dz;
    }
    if (first + block < n) __syncthreads();
  }

  shared[tx] = sum;
  __syncthreads();
  if (part != 0 || i >= n) return;
  for (int p = 1; p < parts; ++p) {
    const float4 other = shared[p * bodies + tx];
    sum.x += other.x;
    sum.y += other.y;
    sum.z += other.z;
  }
  float4 v = velocity[i];
  v.x = fmaf(dt, sum.x, v.x);
  v.y = fmaf(dt, sum.y, v.y);
  v.z = fmaf(dt, sum.z, v.z);
  next_velocity[i] = v;
  next_position[i] = make_float4(fmaf(dt, v.x, own.x), fmaf(dt, v.y, own.y), fmaf(dt, v.z, own.z),
                                 own.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int blocks = (n + bodies - 1) / bodies;
  nbody_kernel<<<blocks, block>>>(position, velocity, next_position, next_velocity, dt, softening,
                                  n);
}

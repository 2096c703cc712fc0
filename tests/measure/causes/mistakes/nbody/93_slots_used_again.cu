// CAUSE: After the last tile nobody waits, but the memory of the tile is then used for the partial sums. A thread may overwrite a body that another still needs, so the barrier at the end of the loop is necessary in the last round, too.
// LINES: 39
// REPAIR: line 39: `if (first + tile_size < n) __syncthreads();` -> `__syncthreads();`
// SYMPTOM: Data race between reading the last tile and storing the partial sums; wrong pulls.

#include "nbody.h"

namespace {

constexpr int bodies = 128;
constexpr int parts = 4;
constexpr int tile_size = bodies * parts;

__device__ float3 operator+(float3 a, float4 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__global__ void split_step(const float4* position, const float4* velocity, float4* next_position,
                           float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 memory[tile_size];
  const int column = threadIdx.x, part = threadIdx.y;
  const int flat = part * bodies + column;
  const int i = blockIdx.x * bodies + column;
  const float4 own = i < n ? position[i] : float4{};
  float3 sum{};

  for (int first = 0; first < n; first += tile_size) {
    memory[flat] = first + flat < n ? position[first + flat] : float4{};
    __syncthreads();
    for (int k = part * bodies; k < (part + 1) * bodies; ++k) {
      const float4 b = memory[k];
      const float x = b.x - own.x, y = b.y - own.y, z = b.z - own.z;
      const float inv = rsqrtf(softening * softening + x * x + y * y + z * z);
      const float f = b.w * inv * inv * inv;
      sum.x += f * x;
      sum.y += f * y;
      sum.z += f * z;
    }
    if (first + tile_size < n) __syncthreads();
  }

  memory[flat] = make_float4(sum.x, sum.y, sum.z, 0);
  __syncthreads();
  if (part != 0 || i >= n) return;
  for (int p = 1; p < parts; ++p) sum = sum + memory[p * bodies + column];

  const float4 v = velocity[i];
  const float4 nv = {v.x + dt * sum.x, v.y + dt * sum.y, v.z + dt * sum.z, v.w};
  next_velocity[i] = nv;
  next_position[i] = {own.x + dt * nv.x, own.y + dt * nv.y, own.z + dt * nv.z, own.w};
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int blocks = (n + bodies - 1) / bodies;
  if (blocks == 0) return;
  split_step<<<blocks, dim3(bodies, parts)>>>(position, velocity, next_position, next_velocity, dt,
                                              softening, n);
}

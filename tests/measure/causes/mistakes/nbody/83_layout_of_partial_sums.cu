// CAUSE: The partial sums are stored part by part (part * bodies + body), but the thread that adds up those of a body reads them as if they were stored body by body (body * parts + part). So it adds sums of other bodies.
// LINES: 50
// REPAIR: line 50: `const float3 s = partial[local * parts + q];` -> `const float3 s = partial[q * bodies + local];`
// SYMPTOM: The acceleration of each body is a mixture of those of other bodies (and of threads without a body); the momenta no longer cancel.

#include "nbody.h"

namespace {

constexpr int bodies = 256;             // per block
constexpr int parts = 2;                // threads that share a body, each with one half of the tile
constexpr int threads = bodies * parts;
constexpr int tile_size = threads;

__device__ void add_pull(float3& sum, float4 at, float4 other, float softening2) {
  const float x = other.x - at.x, y = other.y - at.y, z = other.z - at.z;
  const float r = rsqrtf(softening2 + x * x + y * y + z * z);
  const float f = other.w * r * r * r;
  sum.x += f * x, sum.y += f * y, sum.z += f * z;
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[tile_size];
  __shared__ float3 partial[threads];
  const int t = threadIdx.x;
  const int part = t / bodies;
  const int local = t % bodies;
  const int i = blockIdx.x * bodies + local;
  const float4 none = make_float4(0, 0, 0, 0);
  float4 own = i < n ? position[i] : none;
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += tile_size) {
    tile[t] = first + t < n ? position[first + t] : none;
    __syncthreads();
    const float4* part_of_tile = tile + part * (tile_size / parts);
    for (int k = 0; k < tile_size / parts; ++k) {
      add_pull(sum, own, part_of_tile[k], softening * softening);
    }
    __syncthreads();
  }

  partial[part * bodies + local] = sum;
  __syncthreads();

  if (part > 0 || i >= n) return;
  float3 a = make_float3(0, 0, 0);
  for (int q = 0; q < parts; ++q) {
    const float3 s = partial[local * parts + q];
    a.x += s.x, a.y += s.y, a.z += s.z;
  }
  float4 v = velocity[i];
  v.x += dt * a.x, v.y += dt * a.y, v.z += dt * a.z;
  own.x += dt * v.x, own.y += dt * v.y, own.z += dt * v.z;
  next_velocity[i] = v;
  next_position[i] = own;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  nbody_kernel<<<(n + bodies - 1) / bodies, threads>>>(position, velocity, next_position,
                                                       next_velocity, dt, softening, n);
}

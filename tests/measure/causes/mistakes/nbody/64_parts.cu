// CAUSE: After the last tile the threads store their partial sums into the tile without waiting, while other threads still read bodies from it.
// LINES: after 39
// REPAIR: insert __syncthreads();
// SYMPTOM: Data race on the tile after the loop; depending on the order of the warps a partial sum is taken for a body, and accelerations are wrong.

#include "nbody.h"

namespace {

constexpr int bodies = 64;  // of a block
constexpr int parts = 4;    // threads per body
constexpr int slots = bodies * parts;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[slots];
  const int x = threadIdx.x, part = threadIdx.y;
  const int rank = part * bodies + x;
  const int i = blockIdx.x * bodies + x;

  const float4 own = i < n ? position[i] : make_float4(0, 0, 0, 0);
  const float softening2 = softening * softening;
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += slots) {
    if (first > 0) __syncthreads();  // all are done with the tile before this one
    tile[rank] = first + rank < n ? position[first + rank] : make_float4(0, 0, 0, 0);
    __syncthreads();

    for (int s = part * bodies; s < (part + 1) * bodies; ++s) {
      const float4 other = tile[s];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening2))));
      const float pull = other.w * inverse * inverse * inverse;
      sum.x += pull * dx;
      sum.y += pull * dy;
      sum.z += pull * dz;
    }
  }

  // Each part's sum goes where its thread's body was.
  tile[rank] = make_float4(sum.x, sum.y, sum.z, 0);
  __syncthreads();

  if (part > 0 || i >= n) return;
  for (int p = 1; p < parts; ++p) {
    const float4 more = tile[p * bodies + x];
    sum.x += more.x;
    sum.y += more.y;
    sum.z += more.z;
  }

  float4 v = velocity[i];
  v.x += dt * sum.x;
  v.y += dt * sum.y;
  v.z += dt * sum.z;
  next_velocity[i] = v;
  next_position[i] = make_float4(own.x + dt * v.x, own.y + dt * v.y, own.z + dt * v.z, own.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + bodies - 1) / bodies;
  nbody_kernel<<<grid, dim3(bodies, parts)>>>(position, velocity, next_position, next_velocity, dt,
                                              softening, n);
}

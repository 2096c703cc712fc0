// CAUSE: Two mistakes. (1) The pull is computed with the mass of the body that is pulled (body.w) instead of the one that pulls. (2) The second barrier is missing, so the next tile may overwrite bodies that other threads still read.
// LINES: 34, after 38
// REPAIR: line 34: `pull = body.w` -> `pull = other.w`; insert `__syncthreads();` after line 38
// GOOD HINT: (1) In m_j * r, whose mass is m_j? Which of the two bodies in your loop is j? (2) What does a fast thread do after its last pull, and what may the others still be reading?
// SYMPTOM: Accelerations wrong unless all masses are equal (with free slots, which now pull with the body's mass, wrong even then); a race for n > 128.
#include "nbody.h"

namespace {

constexpr int block = 128;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    // Load one body per thread.
    const int j = first + tx;
    tile[tx] = j < n ? position[j] : make_float4(0, 0, 0, 0);
    __syncthreads();

    // Add the pulls.
    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float rx = other.x - body.x;
      const float ry = other.y - body.y;
      const float rz = other.z - body.z;
      const float inv = rsqrtf(rx * rx + ry * ry + rz * rz + softening * softening);
      const float pull = body.w * inv * inv * inv;
      sum.x += pull * rx;
      sum.y += pull * ry;
      sum.z += pull * rz;
    }
  }

  // Store the new state.
  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;
    next_position[i] = make_float4(body.x + dt * v.x, body.y + dt * v.y, body.z + dt * v.z, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

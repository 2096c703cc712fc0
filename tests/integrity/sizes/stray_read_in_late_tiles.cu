// Reads past the end of the bodies from the eighth tile on, a number that no text compares with n.
// Lab: nbody
// Verdict: graded
// Earns: correctness 40, memory 10
// Says: Out of bounds
// Needs: emulator

#include "nbody.h"

namespace {

constexpr int block = 192;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int t = threadIdx.x, i = blockIdx.x * block + t;
  const float4 body = i < n ? position[i] : float4{0, 0, 0, 0};
  float ax = 0, ay = 0, az = 0;
  for (int number = 0; number * block < n; ++number) {
    const int j = number * block + t;
    tile[t] = j < n || number > 6 ? position[j] : float4{0, 0, 0, 0};
    __syncthreads();
    const int bodies = min(block, n - number * block);
    for (int k = 0; k < bodies; ++k) {
      const float x = tile[k].x - body.x, y = tile[k].y - body.y, z = tile[k].z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = tile[k].w * inverse * inverse * inverse;
      ax += pull * x;
      ay += pull * y;
      az += pull * z;
    }
    __syncthreads();
  }
  if (i >= n) return;
  float4 moving = velocity[i];
  moving.x += dt * ax;
  moving.y += dt * ay;
  moving.z += dt * az;
  next_velocity[i] = moving;
  next_position[i] = {body.x + dt * moving.x, body.y + dt * moving.y, body.z + dt * moving.z,
                      body.w};
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position, next_velocity,
                                                   dt, softening, n);
}

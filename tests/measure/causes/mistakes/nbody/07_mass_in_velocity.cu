// CAUSE: The w of the new velocity is taken from the body's position, so it is the mass. It should be the w of the old velocity.
// LINES: 40
// REPAIR: line 40: `old.z + dt * a.z, body.w)` -> `old.z + dt * a.z, old.w)`
// GOOD HINT: Each of your two results has four components. Where should the fourth of either one come from?
// SYMPTOM: Only w of next_velocity is wrong (the mass of the body is there); x, y, z and the positions are right.
#include "nbody.h"

namespace {

constexpr int block = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 a = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int slot = 0; slot < block; ++slot) {
      const float4 other = tile[slot];
      const float x = other.x - body.x;
      const float y = other.y - body.y;
      const float z = other.z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      a.x += pull * x;
      a.y += pull * y;
      a.z += pull * z;
    }
    __syncthreads();
  }

  if (i < n) {
    const float4 old = velocity[i];
    const float4 now =
        make_float4(old.x + dt * a.x, old.y + dt * a.y, old.z + dt * a.z, body.w);
    next_velocity[i] = now;
    next_position[i] =
        make_float4(body.x + dt * now.x, body.y + dt * now.y, body.z + dt * now.z, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0) {
    nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position,
                                                     next_velocity, dt, softening, n);
  }
}

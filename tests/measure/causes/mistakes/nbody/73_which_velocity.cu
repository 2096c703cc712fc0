// CAUSE: The position moves with the old velocity; it has to move with the new one.
// LINES: 45
// REPAIR: const float4 moved = step(body, new_v, dt);
// SYMPTOM: Velocities are right, positions are off by dt * dt * a (not in the case of a lone body or dt = 0).
#include "nbody.h"

namespace {

constexpr int block = 256;

__device__ float4 step(float4 from, float4 rate, float dt) {
  return make_float4(from.x + dt * rate.x, from.y + dt * rate.y, from.z + dt * rate.z, from.w);
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = position[min(i, n - 1)];
  const float soft2 = softening * softening;
  float4 a = make_float4(0, 0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = make_float4(0, 0, 0, 0);
    if (first + tx < n) tile[tx] = position[first + tx];
    __syncthreads();

    for (int k = 0; k < block; ++k) {
      const float x = tile[k].x - body.x;
      const float y = tile[k].y - body.y;
      const float z = tile[k].z - body.z;
      const float root = rsqrtf(x * x + y * y + z * z + soft2);
      const float weight = tile[k].w * root * root * root;
      a.x += weight * x;
      a.y += weight * y;
      a.z += weight * z;
    }
    __syncthreads();
  }

  if (i >= n) return;
  const float4 v = velocity[i];
  const float4 new_v = step(v, a, dt);
  const float4 moved = step(body, v, dt);
  next_velocity[i] = new_v;
  next_position[i] = moved;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0) {
    nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position,
                                                     next_velocity, dt, softening, n);
  }
}

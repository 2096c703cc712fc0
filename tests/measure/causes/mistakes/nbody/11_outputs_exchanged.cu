// CAUSE: The launch passes next_velocity where the kernel expects next_position, and the other way around. Both have the same type, so the compiler says nothing.
// LINES: 50
// REPAIR: line 50: `next_velocity, next_position,` -> `next_position, next_velocity,`
// GOOD HINT: Compare the order of the parameters of your kernel with the order in which you pass the arrays.
// SYMPTOM: All results in the wrong array: positions in next_velocity and velocities in next_position, for each n > 0.
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
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      sum.x += pull * x, sum.y += pull * y, sum.z += pull * z;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * sum.x, v.y += dt * sum.y, v.z += dt * sum.z;
    float4 p = body;
    p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;
    next_position[i] = p;
    next_velocity[i] = v;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const dim3 threads(block);
  const dim3 blocks((n + block - 1) / block);
  nbody_kernel<<<blocks, threads>>>(position, velocity, next_velocity, next_position, dt,
                                    softening, n);
}

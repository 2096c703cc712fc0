// CAUSE: (1) The mass is multiplied by the inverse root only twice, but the formula divides r by the third power. (2) Slots of the last tile without a body are not filled with mass 0, and keep bodies of the tile before, or nothing at all.
// LINES: 18 36
// REPAIR: line 18: `const float factor = to.w * inverse * inverse;` -> `const float factor = to.w * inverse * inverse * inverse;`; line 36: `if (j < n) tile[threadIdx.x] = position[j];` -> `tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0);`
// SYMPTOM: (1) All pulls are too strong or too weak. (2) If n is not a multiple of 192, bodies are counted twice, or uninitialized shared memory is.

#include "nbody.h"

namespace {

constexpr int block = 192;

struct Pull {
  float x = 0, y = 0, z = 0;

  __device__ void add(float4 from, float4 to, float softening2) {
    const float rx = to.x - from.x, ry = to.y - from.y, rz = to.z - from.z;
    const float inverse = rsqrtf(softening2 + rx * rx + ry * ry + rz * rz);
    const float factor = to.w * inverse * inverse;
    x += factor * rx;
    y += factor * ry;
    z += factor * rz;
  }
};

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const bool alive = i < n;
  const float4 own = alive ? position[i] : make_float4(0, 0, 0, 0);
  Pull pull;

  const int tiles = (n + block - 1) / block;
  for (int t = 0; t < tiles; ++t) {
    const int j = t * block + threadIdx.x;
    if (j < n) tile[threadIdx.x] = position[j];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < block; ++k) pull.add(own, tile[k], softening * softening);
    __syncthreads();
  }

  if (!alive) return;
  float4 v = velocity[i], p = own;
  v.x += dt * pull.x, v.y += dt * pull.y, v.z += dt * pull.z;
  p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z;
  next_velocity[i] = v;
  next_position[i] = p;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const dim3 grid((n + block - 1) / block);
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

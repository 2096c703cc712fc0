// CAUSE: The force is multiplied by the mass of the thread's own body instead of that of the body that pulls. And threads past the last body store, too, since the guard allows i == n.
// LINES: 16 38
// REPAIR: line 16: `const float scale = body.w * inverse * inverse * inverse;` -> `const float scale = other.w * inverse * inverse * inverse;`; line 38: `if (i <= n) {` -> `if (i < n) {`
// SYMPTOM: Wrong accelerations unless all masses are equal; and a stray load and store at element n.

#include "nbody.h"

namespace {

constexpr int block = 256;

__device__ void add_pull(float3& sum, float4 body, float4 other, float softening) {
  const float3 r = make_float3(other.x - body.x, other.y - body.y, other.z - body.z);
  const float inverse =
      rsqrtf(fmaf(r.x, r.x, fmaf(r.y, r.y, fmaf(r.z, r.z, softening * softening))));
  const float scale = body.w * inverse * inverse * inverse;
  sum.x += scale * r.x;
  sum.y += scale * r.y;
  sum.z += scale * r.z;
}

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
#pragma unroll 4
    for (int j = 0; j < block; ++j) add_pull(sum, body, tile[j], softening);
    __syncthreads();
  }

  if (i <= n) {
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;
    next_position[i] =
        make_float4(body.x + dt * v.x, body.y + dt * v.y, body.z + dt * v.z, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  nbody_kernel<<<blocks, block>>>(position, velocity, next_position, next_velocity, dt, softening,
                                  n);
}

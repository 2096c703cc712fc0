// CAUSE: The chain of multiply-adds for the squared distance starts with softening, but the formula has softening * softening.
// LINES: 32
// REPAIR: line 32: `const float start = softening;` -> `const float start = softening * softening;`
// SYMPTOM: All pulls are wrong unless softening is 1: too weak for a softening below 1.

#include "nbody.h"

namespace {

constexpr int block = 256;

__device__ __forceinline__ void add_pull(float3& sum, const float4& body, const float4& other,
                                         float start) {
  const float rx = other.x - body.x;
  const float ry = other.y - body.y;
  const float rz = other.z - body.z;
  const float square = fmaf(rx, rx, fmaf(ry, ry, fmaf(rz, rz, start)));
  const float root = rsqrtf(square);
  const float strength = other.w * root * root * root;
  sum.x = fmaf(strength, rx, sum.x);
  sum.y = fmaf(strength, ry, sum.y);
  sum.z = fmaf(strength, rz, sum.z);
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 nothing = make_float4(0, 0, 0, 0);
  const float4 body = i < n ? position[i] : nothing;
  const float start = softening;
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : nothing;
    __syncthreads();
#pragma unroll 16
    for (int k = 0; k < block; ++k) add_pull(sum, body, tile[k], start);
    __syncthreads();
  }

  if (i < n) {
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
  nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position, next_velocity,
                                                   dt, softening, n);
}

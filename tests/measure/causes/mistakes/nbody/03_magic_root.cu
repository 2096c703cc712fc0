// CAUSE: 1 / sqrt is computed by the well-known bit trick with a single Newton step, which is wrong by up to 0.2%. The contract allows rsqrtf, but nothing coarser.
// LINES: 17
// REPAIR: line 17: `y * (1.5f - 0.5f * x * y * y)` -> `rsqrtf(x)`
// GOOD HINT: How accurate is your inverse root? Compare it with 1 / sqrtf(x) for a few x. Which function of CUDA is as fast and right to the last digits?
// SYMPTOM: All results slightly wrong (about 0.1% in the acceleration), beyond the tolerance.
#include "nbody.h"

namespace {

constexpr int block = 128;

// fast 1 / sqrt(x): magic number, then one Newton step
__device__ float inverse_root(float x) {
  int bits = *reinterpret_cast<int*>(&x);
  bits = 0x5f3759df - (bits >> 1);
  const float y = *reinterpret_cast<float*>(&bits);
  return y * (1.5f - 0.5f * x * y * y);
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  const float eps2 = softening * softening;
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float3 r = make_float3(other.x - body.x, other.y - body.y, other.z - body.z);
      const float inv = inverse_root(r.x * r.x + r.y * r.y + r.z * r.z + eps2);
      const float s = other.w * inv * inv * inv;
      sum.x += s * r.x;
      sum.y += s * r.y;
      sum.z += s * r.z;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;

    float4 p = body;
    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
    next_position[i] = p;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  nbody_kernel<<<(n + block - 1) / block, block>>>(position, velocity, next_position, next_velocity,
                                                   dt, softening, n);
}

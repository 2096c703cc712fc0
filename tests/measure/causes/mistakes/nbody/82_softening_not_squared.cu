// CAUSE: The chain of multiply-adds begins with the softening itself instead of with its square: r^2 + softening instead of r^2 + softening^2.
// LINES: 25
// REPAIR: line 25: `const float soft = p.softening;` -> `const float soft = p.softening * p.softening;`
// SYMPTOM: Accelerations are too small for a softening below 1 (too large above 1), most of all for close bodies.

#include "nbody.h"

namespace {

constexpr int kThreads = 256;

struct Params {
  float dt;
  float softening;
  int n;
};

__global__ void gravity(const float4* __restrict__ position, const float4* __restrict__ velocity,
                        float4* __restrict__ nextPosition, float4* __restrict__ nextVelocity,
                        Params p) {
  __shared__ float4 tile[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const bool active = i < p.n;
  float4 body = active ? position[i] : make_float4(0.f, 0.f, 0.f, 0.f);
  const float soft = p.softening;

  float ax = 0.f, ay = 0.f, az = 0.f;
  for (int first = 0; first < p.n; first += kThreads) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < p.n ? position[j] : make_float4(0.f, 0.f, 0.f, 0.f);
    __syncthreads();

#pragma unroll 16
    for (int k = 0; k < kThreads; ++k) {
      const float4 other = tile[k];
      const float rx = other.x - body.x;
      const float ry = other.y - body.y;
      const float rz = other.z - body.z;
      const float d = fmaf(rx, rx, fmaf(ry, ry, fmaf(rz, rz, soft)));
      const float root = rsqrtf(d);
      const float pull = other.w * root * (root * root);
      ax = fmaf(pull, rx, ax);
      ay = fmaf(pull, ry, ay);
      az = fmaf(pull, rz, az);
    }
    __syncthreads();
  }

  if (!active) return;
  float4 v = velocity[i];
  v.x = fmaf(p.dt, ax, v.x);
  v.y = fmaf(p.dt, ay, v.y);
  v.z = fmaf(p.dt, az, v.z);
  body.x = fmaf(p.dt, v.x, body.x);
  body.y = fmaf(p.dt, v.y, body.y);
  body.z = fmaf(p.dt, v.z, body.z);
  nextVelocity[i] = v;
  nextPosition[i] = body;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const Params p{dt, softening, n};
  const int blocks = (n + kThreads - 1) / kThreads;
  if (blocks > 0) {
    gravity<<<blocks, kThreads>>>(position, velocity, next_position, next_velocity, p);
  }
}

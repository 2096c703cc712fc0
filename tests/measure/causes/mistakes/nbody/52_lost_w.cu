// CAUSE: The new velocity is put together with a 0 in w, but w has to be carried along from the old velocity.
// LINES: 46
// REPAIR: line 46: `const float4 v = make_float4(old.x + dt * a.x, old.y + dt * a.y, old.z + dt * a.z, 0.0f);` -> `const float4 v = make_float4(old.x + dt * a.x, old.y + dt * a.y, old.z + dt * a.z, old.w);`
// SYMPTOM: w of next_velocity is 0 everywhere; all positions and the x, y, z of the velocities are right.
#include "nbody.h"

namespace {

constexpr int threads = 128;

__device__ void attract(float3& a, const float4& self, const float4& other, float eps2) {
  const float dx = other.x - self.x;
  const float dy = other.y - self.y;
  const float dz = other.z - self.z;
  const float d2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2)));
  const float inv = rsqrtf(d2);
  const float f = other.w * (inv * inv * inv);
  a.x = fmaf(f, dx, a.x);
  a.y = fmaf(f, dy, a.y);
  a.z = fmaf(f, dz, a.z);
}

__global__ void advance(const float4* __restrict__ position, const float4* __restrict__ velocity,
                        float4* __restrict__ next_position, float4* __restrict__ next_velocity,
                        float dt, float eps2, int n) {
  __shared__ float4 bodies[threads];
  const int id = blockIdx.x * threads + threadIdx.x;
  const float4 self = position[id < n ? id : n - 1];
  float3 a = {0.0f, 0.0f, 0.0f};

  int start = 0;
  for (; start + threads <= n; start += threads) {  // full tiles
    bodies[threadIdx.x] = position[start + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < threads; ++k) attract(a, self, bodies[k], eps2);
    __syncthreads();
  }
  const int rest = n - start;  // the last tile
  if (static_cast<int>(threadIdx.x) < rest) bodies[threadIdx.x] = position[start + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < rest; ++k) attract(a, self, bodies[k], eps2);

  if (id >= n) return;
  const float4 old = velocity[id];
  const float4 v = make_float4(old.x + dt * a.x, old.y + dt * a.y, old.z + dt * a.z, 0.0f);
  next_velocity[id] = v;
  next_position[id] =
      make_float4(self.x + dt * v.x, self.y + dt * v.y, self.z + dt * v.z, self.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  advance<<<(n + threads - 1) / threads, threads>>>(position, velocity, next_position,
                                                    next_velocity, dt, softening * softening, n);
}

// CAUSE: The new velocity gets the body's mass as its w, like the new position, but w of the old velocity has to be carried along. And ms begins one array too early, at the place of zs.
// LINES: 17, 49
// REPAIR: line 17: `float* ms = ys + threads;` -> `float* ms = zs + threads;`; line 49: `next_velocity[i] = make_float4(u.x, u.y, u.z, p.w);` -> `next_velocity[i] = make_float4(u.x, u.y, u.z, v.w);`
// SYMPTOM: In the tile the masses overwrite the z coordinates, so all pulls are wrong (no data race: the same thread stores both); and w of every new velocity is the body's mass.
#include "nbody.h"

namespace {

constexpr int threads = 128;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  extern __shared__ float shared[];
  float* xs = shared;
  float* ys = xs + threads;
  float* zs = ys + threads;
  float* ms = ys + threads;

  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  float4 p = make_float4(0, 0, 0, 0);
  if (i < n) p = position[i];

  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += threads) {
    const int count = min(threads, n - start);
    if (t < count) {
      const float4 q = position[start + t];
      xs[t] = q.x;
      ys[t] = q.y;
      zs[t] = q.z;
      ms[t] = q.w;
    }
    __syncthreads();
    for (int j = 0; j < count; ++j) {
      const float rx = xs[j] - p.x, ry = ys[j] - p.y, rz = zs[j] - p.z;
      const float d = sqrtf(rx * rx + ry * ry + rz * rz + softening * softening);
      const float f = ms[j] / (d * d * d);
      ax += f * rx;
      ay += f * ry;
      az += f * rz;
    }
    __syncthreads();
  }

  if (i >= n) return;
  const float4 v = velocity[i];
  const float3 u = make_float3(v.x + dt * ax, v.y + dt * ay, v.z + dt * az);
  next_velocity[i] = make_float4(u.x, u.y, u.z, p.w);
  next_position[i] = make_float4(p.x + dt * u.x, p.y + dt * u.y, p.z + dt * u.z, p.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n <= 0) return;
  const int grid = (n + threads - 1) / threads;
  const size_t bytes = 4 * threads * sizeof(float);
  nbody_kernel<<<grid, threads, bytes>>>(position, velocity, next_position, next_velocity, dt,
                                         softening, n);
}

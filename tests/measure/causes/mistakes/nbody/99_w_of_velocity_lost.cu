// CAUSE: The w of the new velocity is set to 0, but the w of the old velocity has to be carried along.
// LINES: 56
// REPAIR: line 56: `next_velocity[i] = float4{vx, vy, vz};` -> `next_velocity[i] = float4{vx, vy, vz, old.w};`
// SYMPTOM: next_velocity[i].w is 0 for every body instead of velocity[i].w.

#include "nbody.h"

namespace {

template <int Threads, int Own>
__global__ void __launch_bounds__(Threads)
    nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                 float4* next_velocity, float dt, float softening2, int n) {
  __shared__ float4 tile[Threads];
  const int base = blockIdx.x * Threads * Own + threadIdx.x;

  float4 body[Own];
  float ax[Own], ay[Own], az[Own];
#pragma unroll
  for (int o = 0; o < Own; ++o) {
    const int i = base + o * Threads;
    body[o] = i < n ? position[i] : float4{0, 0, 0, 0};
    ax[o] = ay[o] = az[o] = 0;
  }

  for (int first = 0; first < n; first += Threads) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? position[j] : float4{0, 0, 0, 0};
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < Threads; ++k) {
      const float4 source = tile[k];
#pragma unroll
      for (int o = 0; o < Own; ++o) {
        const float x = source.x - body[o].x;
        const float y = source.y - body[o].y;
        const float z = source.z - body[o].z;
        const float s = rsqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, softening2))));
        const float f = source.w * (s * s) * s;
        ax[o] += f * x;
        ay[o] += f * y;
        az[o] += f * z;
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int o = 0; o < Own; ++o) {
    const int i = base + o * Threads;
    if (i >= n) break;
    const float4 old = velocity[i];
    const float vx = old.x + dt * ax[o];
    const float vy = old.y + dt * ay[o];
    const float vz = old.z + dt * az[o];
    next_velocity[i] = float4{vx, vy, vz};
    next_position[i] =
        float4{body[o].x + dt * vx, body[o].y + dt * vy, body[o].z + dt * vz, body[o].w};
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  constexpr int threads = 128, own = 2;
  const int blocks = (n + threads * own - 1) / (threads * own);
  if (blocks > 0)
    nbody_kernel<threads, own><<<blocks, threads>>>(position, velocity, next_position,
                                                    next_velocity, dt, softening * softening, n);
}

// CAUSE: Two mistakes. (1) The pull is divided by the square of the distance instead of by its third power: r is not a unit vector, so one more factor is needed. (2) The empty slots of the last tile are filled with copies of the last body instead of with bodies of mass 0, so it attracts several times.
// LINES: 23 29
// REPAIR: line 23: `sh[tx] = pos[min(j, n - 1)];` -> `sh[tx] = j < n ? pos[j] : make_float4(0, 0, 0, 0);`; line 29: `const float f = q.w * inv * inv;` -> `const float f = q.w * inv * inv * inv;`
// SYMPTOM: Wrong accelerations; unless n is a multiple of 256, everything is drawn to the last body as well.

#include "nbody.h"

namespace {

constexpr int SIZE = 256;

__global__ void nbody(const float4* pos, const float4* vel, float4* npos, float4* nvel, float dt,
                      float softening, int n) {
  __shared__ float4 sh[SIZE];
  const int tx = threadIdx.x;
  const int gid = blockIdx.x * SIZE + tx;
  const float4 p = pos[min(gid, n - 1)];
  float fx = 0, fy = 0, fz = 0;

  const int ntiles = (n + SIZE - 1) / SIZE;
  for (int tile = 0; tile < ntiles; tile++) {
    const int j = tile * SIZE + tx;
    sh[tx] = pos[min(j, n - 1)];
    __syncthreads();
    for (int k = 0; k < SIZE; k++) {
      const float4 q = sh[k];
      const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
      const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
      const float f = q.w * inv * inv;
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
    __syncthreads();
  }

  if (gid < n) {
    float4 v = vel[gid];
    v.x += fx * dt;
    v.y += fy * dt;
    v.z += fz * dt;
    nvel[gid] = v;
    npos[gid] = make_float4(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int nblocks = (n + SIZE - 1) / SIZE;
  if (nblocks == 0) return;
  nbody<<<nblocks, SIZE>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

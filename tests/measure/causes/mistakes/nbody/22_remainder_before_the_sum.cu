// CAUSE: the slot is t + s % TILE, which C reads as t + (s % TILE): the remainder is not taken of the sum, and the slots run past the end of the tile
// LINES: 24
// REPAIR: (t + s) % TILE
// GOOD HINT: Which slot does thread 200 read for s = 100? Which operator binds more tightly, + or %?
// SYMPTOM: reads outside the tile

#include "nbody.h"

#define TILE 256

__global__ void nbody_tiles(const float4* position, const float4* velocity, float4* next_position,
                            float4* next_velocity, float dt, float softening2, int n) {
  __shared__ float4 tile[TILE];
  int t = threadIdx.x;
  int body = blockIdx.x * TILE + t;
  float4 p = body < n ? position[body] : float4{0, 0, 0, 0};
  float ax = 0, ay = 0, az = 0;

  for (int first = 0; first < n; first += TILE) {
    tile[t] = first + t < n ? position[first + t] : float4{0, 0, 0, 0};
    __syncthreads();
    // everybody begins with another slot, to keep the banks apart
    for (int s = 0; s < TILE; s++) {
      float4 q = tile[t + s % TILE];
      float rx = q.x - p.x, ry = q.y - p.y, rz = q.z - p.z;
      float r2 = rx * rx + ry * ry + rz * rz + softening2;
      float g = q.w * rsqrtf(r2) / r2;
      ax += g * rx;
      ay += g * ry;
      az += g * rz;
    }
    __syncthreads();
  }

  if (body < n) {
    float4 v = velocity[body];
    v = float4{v.x + dt * ax, v.y + dt * ay, v.z + dt * az, v.w};
    next_velocity[body] = v;
    next_position[body] = float4{p.x + dt * v.x, p.y + dt * v.y, p.z + dt * v.z, p.w};
  }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  int blocks = (n + TILE - 1) / TILE;
  if (blocks > 0)
    nbody_tiles<<<blocks, TILE>>>(position, velocity, next_position, next_velocity, dt,
                                  softening * softening, n);
}

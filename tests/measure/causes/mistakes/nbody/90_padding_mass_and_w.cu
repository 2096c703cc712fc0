// CAUSE: Empty slots of the last tile get mass 1 instead of 0, so they pull like bodies at the origin. And the new velocity gets the mass of the body in w, but has to keep the w of the old velocity.
// LINES: 29 48
// REPAIR: line 29: `1);` -> `0);`; line 48: `here.w);` -> `old.w);`
// SYMPTOM: Accelerations are wrong unless n is a multiple of the tile, and w of next_velocity is wrong.

#include <cooperative_groups.h>

#include "nbody.h"

namespace cg = cooperative_groups;

#define PARTNERS 2
#define SLOTS 256
#define BODIES (SLOTS / PARTNERS)

static __global__ void leap(const float4* __restrict__ where, const float4* __restrict__ speed,
                            float4* where_next, float4* speed_next, float dt, float epsilon,
                            int count) {
  __shared__ float x[SLOTS], y[SLOTS], z[SLOTS], mass[SLOTS];
  cg::thread_block team = cg::this_thread_block();
  cg::thread_block_tile<PARTNERS> pair = cg::tiled_partition<PARTNERS>(team);
  const int rank = team.thread_rank();
  const int who = blockIdx.x * BODIES + rank / PARTNERS;
  const float4 here = where[who < count ? who : 0];
  float gx = 0, gy = 0, gz = 0;

  for (int round = 0; round * SLOTS < count; ++round) {
    const int source = round * SLOTS + rank;
    const float4 loaded = source < count ? where[source] : make_float4(0, 0, 0, 1);
    x[rank] = loaded.x, y[rank] = loaded.y, z[rank] = loaded.z, mass[rank] = loaded.w;
    team.sync();
    for (int s = pair.thread_rank(); s < SLOTS; s += PARTNERS) {
      const float rx = x[s] - here.x, ry = y[s] - here.y, rz = z[s] - here.z;
      const float r2 = rx * rx + ry * ry + rz * rz + epsilon * epsilon;
      const float over = 1.0f / sqrtf(r2);
      const float g = mass[s] * (over * over * over);
      gx = fmaf(g, rx, gx), gy = fmaf(g, ry, gy), gz = fmaf(g, rz, gz);
    }
    team.sync();
  }

  for (int d = PARTNERS / 2; d > 0; d /= 2) {
    gx += pair.shfl_xor(gx, d), gy += pair.shfl_xor(gy, d), gz += pair.shfl_xor(gz, d);
  }
  if (who >= count || pair.thread_rank() != 0) return;
  const float4 old = speed[who];
  const float vx = old.x + dt * gx, vy = old.y + dt * gy, vz = old.z + dt * gz;
  speed_next[who] = make_float4(vx, vy, vz, here.w);
  where_next[who] = make_float4(here.x + dt * vx, here.y + dt * vy, here.z + dt * vz, here.w);
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n <= 0) return;
  leap<<<(n + BODIES - 1) / BODIES, SLOTS>>>(position, velocity, next_position, next_velocity, dt,
                                             softening, n);
}

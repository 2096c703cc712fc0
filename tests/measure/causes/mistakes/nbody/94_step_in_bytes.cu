// CAUSE: The loop over the tiles advances by the number of bytes of a tile. first counts bodies, so it has to advance by the number of bodies in a tile.
// LINES: 24
// REPAIR: line 24: `for (int first = 0; first < count; first += T * sizeof(float4)) {` -> `for (int first = 0; first < count; first += T) {`
// SYMPTOM: Only the first 128 of each 2,048 bodies pull, so n > 128 gives wrong velocities and positions.

#include "nbody.h"

#define FOR_BOTH(k) for (int k = 0; k < 2; ++k)

static const int T = 128;

__global__ void leap(const float4* __restrict__ pos, const float4* __restrict__ vel,
                     float4* __restrict__ pos_out, float4* __restrict__ vel_out, float dt,
                     float eps2, int count) {
  extern __shared__ float4 others[];
  float4 p[2];
  float acc[2][3] = {};
  int id[2];
  FOR_BOTH(k) {
    id[k] = (2 * blockIdx.x + k) * T + threadIdx.x;
    p[k] = pos[id[k] < count ? id[k] : 0];
  }

  for (int first = 0; first < count; first += T * sizeof(float4)) {
    const int mine = first + threadIdx.x;
    float4 body = make_float4(0, 0, 0, 0);
    if (mine < count) body = pos[mine];
    others[threadIdx.x] = body;
    __syncthreads();
    const int filled = min(T, count - first);
    for (int j = 0; j < filled; ++j) {
      const float4 q = others[j];
      FOR_BOTH(k) {
        const float d[3] = {q.x - p[k].x, q.y - p[k].y, q.z - p[k].z};
        const float root = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps2);
        const float s = q.w / (root * root * root);
        for (int c = 0; c < 3; ++c) acc[k][c] += s * d[c];
      }
    }
    __syncthreads();
  }

  FOR_BOTH(k) {
    if (id[k] < count) {
      float4 v = vel[id[k]];
      v.x += acc[k][0] * dt;
      v.y += acc[k][1] * dt;
      v.z += acc[k][2] * dt;
      vel_out[id[k]] = v;
      pos_out[id[k]] =
          make_float4(p[k].x + v.x * dt, p[k].y + v.y * dt, p[k].z + v.z * dt, p[k].w);
    }
  }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n <= 0) return;
  leap<<<(n + 2 * T - 1) / (2 * T), T, T * sizeof(float4)>>>(
      position, velocity, next_position, next_velocity, dt, softening * softening, n);
}

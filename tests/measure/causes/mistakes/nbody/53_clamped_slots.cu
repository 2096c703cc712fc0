// CAUSE: Slots of the last tile without a body get the last body again (the index is clamped), and they keep its mass, so its pull is added several times.
// LINES: 28
// REPAIR: line 28: `sm[t] = q.w;` -> `sm[t] = j < n ? q.w : 0.0f;`
// SYMPTOM: Wrong unless n is a multiple of 256: all bodies are pulled too much toward the last one.
#include "nbody.h"

static const int T = 256;

static __global__ void nbody(const float4* pos, const float4* vel, float4* pos_out,
                             float4* vel_out, float dt, float softening, int n) {
  extern __shared__ float shared[];
  float* const sx = shared;
  float* const sy = sx + T;
  float* const sz = sy + T;
  float* const sm = sz + T;

  const int t = threadIdx.x;
  const int i = blockIdx.x * T + t;
  const float4 p = pos[min(i, n - 1)];
  float ax = 0, ay = 0, az = 0;

  for (int base = 0; base < n; base += T) {
    const int j = base + t;
    const float4 q = pos[min(j, n - 1)];
    sx[t] = q.x;
    sy[t] = q.y;
    sz[t] = q.z;
    sm[t] = q.w;
    __syncthreads();
    for (int s = 0; s < T; ++s) {
      const float rx = sx[s] - p.x, ry = sy[s] - p.y, rz = sz[s] - p.z;
      const float d = rsqrtf(rx * rx + ry * ry + rz * rz + softening * softening);
      const float g = sm[s] * d * d * d;
      ax += g * rx;
      ay += g * ry;
      az += g * rz;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = vel[i];
    float4 r = p;
    v.x += ax * dt, v.y += ay * dt, v.z += az * dt;
    r.x += v.x * dt, r.y += v.y * dt, r.z += v.z * dt;
    vel_out[i] = v;
    pos_out[i] = r;
  }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int blocks = (n + T - 1) / T;
  const size_t bytes = 4 * T * sizeof(float);
  if (blocks) {
    nbody<<<blocks, T, bytes>>>(position, velocity, next_position, next_velocity, dt, softening,
                                n);
  }
}

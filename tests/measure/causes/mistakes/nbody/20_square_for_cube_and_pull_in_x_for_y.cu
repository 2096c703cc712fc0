// CAUSE: two mistakes: the pull is divided by the square of the distance, where the vector r needs the cube; and the y of the velocity grows by the x of the acceleration
// LINES: 16, 41
// REPAIR: inv * inv * inv; acc.y in vel.y
// GOOD HINT: How long is the vector that you add for a body at distance 2? And which acceleration belongs to vel.y?
// SYMPTOM: wrong velocities and positions nearly everywhere

#include "nbody.h"

constexpr int TPB = 128;

__device__ void interact(float3& acc, const float4& me, const float4& other, float soft2) {
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + soft2);
  const float f = other.w * inv * inv;
  acc.x += f * dx;
  acc.y += f * dy;
  acc.z += f * dz;
}

__global__ void advance(const float4* pos, const float4* vel_in, float4* pos_out, float4* vel_out,
                        float dt, float softening, int n) {
  __shared__ float4 others[TPB];
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = make_float4(0, 0, 0, 0);
  if (id < n) me = pos[id];
  float3 acc = make_float3(0, 0, 0);

  for (int start = 0; start < n; start += TPB) {
    const int src = start + threadIdx.x;
    others[threadIdx.x] = src < n ? pos[src] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < TPB; ++k) interact(acc, me, others[k], softening * softening);
    __syncthreads();
  }

  if (id < n) {
    float4 vel = vel_in[id];
    vel.x += dt * acc.x;
    vel.y += dt * acc.x;
    vel.z += dt * acc.z;
    me.x += dt * vel.x;
    me.y += dt * vel.y;
    me.z += dt * vel.z;
    vel_out[id] = vel;
    pos_out[id] = me;
  }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0)
    advance<<<(n + TPB - 1) / TPB, TPB>>>(position, velocity, next_position, next_velocity, dt,
                                          softening, n);
}

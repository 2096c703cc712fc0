// CAUSE: The new position is stored with the w of the velocity; it has to keep the mass of its body.
// LINES: 50
// REPAIR: body.w instead of vel.w
// SYMPTOM: x, y and z are right after one step, but next_position[i].w is wrong, and so is everything after a second step.

#include "nbody.h"

namespace {

constexpr int block = 64;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];

  const int lane = threadIdx.x;
  const int index = lane + blockIdx.x * blockDim.x;
  const float4 body = index < n ? position[index] : float4{};

  float ax = 0, ay = 0, az = 0;
  int start = 0;
  while (start < n) {
    const int from = start + lane;
    tile[lane] = from < n ? position[from] : float4{};
    __syncthreads();

    for (int s = 0; s < block; ++s) {
      const float4 other = tile[s];
      const float rx = other.x - body.x;
      const float ry = other.y - body.y;
      const float rz = other.z - body.z;
      float w = rsqrtf(softening * softening + rx * rx + ry * ry + rz * rz);
      w = other.w * (w * w * w);
      ax += w * rx;
      ay += w * ry;
      az += w * rz;
    }

    __syncthreads();
    start += block;
  }

  if (index >= n) return;
  const float4 vel = velocity[index];
  const float vx = vel.x + dt * ax;
  const float vy = vel.y + dt * ay;
  const float vz = vel.z + dt * az;
  next_velocity[index] = make_float4(vx, vy, vz, vel.w);
  next_position[index] =
      make_float4(body.x + dt * vx, body.y + dt * vy, body.z + dt * vz, vel.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks == 0) return;
  nbody_kernel<<<blocks, block>>>(position, velocity, next_position, next_velocity, dt, softening,
                                  n);
}

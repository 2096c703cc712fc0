// CAUSE: The softening is added to the squared distance as it is, but the formula adds its square.
// LINES: 36
// REPAIR: float dist2 = dx * dx + dy * dy + dz * dz + softening * softening;
// SYMPTOM: All velocities and positions are off, most for close bodies (right only for a softening of 1, or far apart).
#include "nbody.h"

namespace {

const int BLOCK_SIZE = 128;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 bodies[BLOCK_SIZE];

  int i = blockDim.x * blockIdx.x + threadIdx.x;
  float4 me = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (i < n) {
    me = position[i];
  }
  float ax = 0.0f, ay = 0.0f, az = 0.0f;

  int numTiles = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
  for (int tile = 0; tile < numTiles; tile++) {
    int j = tile * BLOCK_SIZE + threadIdx.x;
    if (j < n) {
      bodies[threadIdx.x] = position[j];
    } else {
      bodies[threadIdx.x] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    __syncthreads();

    for (int k = 0; k < BLOCK_SIZE; k++) {
      float dx = bodies[k].x - me.x;
      float dy = bodies[k].y - me.y;
      float dz = bodies[k].z - me.z;
      float dist2 = dx * dx + dy * dy + dz * dz + softening;
      float invDist = 1.0f / sqrtf(dist2);
      float invDist3 = invDist * invDist * invDist;
      float s = bodies[k].w * invDist3;
      ax += s * dx;
      ay += s * dy;
      az += s * dz;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 vel = velocity[i];
    vel.x += dt * ax;
    vel.y += dt * ay;
    vel.z += dt * az;
    next_velocity[i] = vel;

    float4 pos = me;
    pos.x += dt * vel.x;
    pos.y += dt * vel.y;
    pos.z += dt * vel.z;
    next_position[i] = pos;
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n > 0) {
    int numBlocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    nbody_kernel<<<numBlocks, BLOCK_SIZE>>>(position, velocity, next_position, next_velocity, dt,
                                            softening, n);
  }
}

// Step 1, the source's first version: all bodies from global memory, each as a float3 and a mass,
// whose alignment of 4 bytes lets a thread load only 4 bytes at a time.
//
// Per pair: 4 loads of 4 bytes, 16 n^2 bytes asked for in all (68.7 GB for n = 65,536, which the
// caches answer, because all threads walk through the same 1 MB), and 46 instructions in the loop.
// Most of those are the square root and the division as IEEE defines them.
// Misses: memory

#include "nbody.h"

namespace {

struct Body {
  float x, y, z, mass;
};

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float4 body = position[i];
  float ax = 0, ay = 0, az = 0;
  const Body* bodies = reinterpret_cast<const Body*>(position);
  for (int j = 0; j < n; ++j) {
    const Body other = bodies[j];
    const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
    const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + softening * softening);
    const float pull = other.mass * inverse * inverse * inverse;
    ax += pull * x;
    ay += pull * y;
    az += pull * z;
  }

  float4 moving = velocity[i];
  moving.x += dt * ax;
  moving.y += dt * ay;
  moving.z += dt * az;
  next_velocity[i] = moving;

  body.x += dt * moving.x;
  body.y += dt * moving.y;
  body.z += dt * moving.z;
  next_position[i] = body;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  constexpr int block = 256;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

// A loop on the host: the arrays are in device memory, whose addresses the host cannot use.
// Test: nbody_step is right for one block and less
// Says: device pointer
// Task: 1

#include <cmath>

#include "nbody.h"

namespace {

float3 acceleration_of(int i, const float4* position, float softening, int n) {
  float3 sum = make_float3(0, 0, 0);
  for (int j = 0; j < n; ++j) {
    const float x = position[j].x - position[i].x;
    const float y = position[j].y - position[i].y;
    const float z = position[j].z - position[i].z;
    const float inverse = 1 / std::sqrt(x * x + y * y + z * z + softening * softening);
    const float pull = position[j].w * inverse * inverse * inverse;
    sum = make_float3(sum.x + pull * x, sum.y + pull * y, sum.z + pull * z);
  }
  return sum;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  for (int i = 0; i < n; ++i) {
    const float3 a = acceleration_of(i, position, softening, n);
    const float4 v = velocity[i], p = position[i];
    next_velocity[i] = make_float4(v.x + dt * a.x, v.y + dt * a.y, v.z + dt * a.z, v.w);
    const float4 moved = next_velocity[i];
    next_position[i] = make_float4(p.x + dt * moved.x, p.y + dt * moved.y, p.z + dt * moved.z, p.w);
  }
}

// CAUSE: The pull is multiplied by the body's own mass instead of the mass of the other body, which exerts it.
// LINES: 24
// REPAIR: return other.w * inv * inv * inv;
// SYMPTOM: All accelerations are wrong unless all masses are equal; also, the empty slots of the last tile now exert a pull towards the origin.
#include "nbody.h"

namespace {

constexpr int block = 256;

struct Vector {
  float x, y, z;
};

__device__ Vector between(const float4& from, const float4& to) {
  return Vector{to.x - from.x, to.y - from.y, to.z - from.z};
}

// m / (r^2 + s^2)^(3/2)
__device__ float strength(const float4& body, const float4& other, float softening) {
  const Vector r = between(body, other);
  const float square = r.x * r.x + r.y * r.y + r.z * r.z + softening * softening;
  const float inv = rsqrtf(square);
  return body.w * inv * inv * inv;
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  Vector sum = {0, 0, 0};

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < block; ++k) {
      const float s = strength(body, tile[k], softening);
      const Vector r = between(body, tile[k]);
      sum.x += s * r.x;
      sum.y += s * r.y;
      sum.z += s * r.z;
    }
    __syncthreads();
  }

  if (i < n) {
    const float4 old = velocity[i];
    const float vx = old.x + dt * sum.x;
    const float vy = old.y + dt * sum.y;
    const float vz = old.z + dt * sum.z;
    next_velocity[i] = make_float4(vx, vy, vz, old.w);
    next_position[i] = make_float4(body.x + dt * vx, body.y + dt * vy, body.z + dt * vz, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  nbody_kernel<<<(n - 1) / block + 1, block>>>(position, velocity, next_position, next_velocity, dt,
                                               softening, n);
}

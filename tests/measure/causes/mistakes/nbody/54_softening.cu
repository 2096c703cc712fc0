// CAUSE: The kernel wants the square of the softening and gets the softening itself. And the last of the four partial sums of a body is left out, because the loop over them ends one too early.
// LINES: 42, 65
// REPAIR: line 42: `for (int p = 1; p < parts - 1; ++p) {` -> `for (int p = 1; p < parts; ++p) {`; line 65: `softening, n);` -> `softening * softening, n);`
// SYMPTOM: All accelerations are off: a quarter of the pulls is missing, and close bodies pull too little or too much.
#include "nbody.h"

namespace {

constexpr int bodies = 64;  // per block
constexpr int parts = 4;    // threads that share a body's sum

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening2, int n) {
  __shared__ float4 tile[bodies * parts];
  __shared__ float3 partial[parts][bodies];
  const int x = threadIdx.x, part = threadIdx.y;
  const int slot = part * bodies + x;
  const int i = blockIdx.x * bodies + x;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += bodies * parts) {
    tile[slot] = first + slot < n ? position[first + slot] : make_float4(0, 0, 0, 0);
    __syncthreads();
    // Each part of the threads takes its part of the tile.
    for (int k = part * bodies; k < (part + 1) * bodies; ++k) {
      const float4 other = tile[k];
      const float3 r = make_float3(other.x - body.x, other.y - body.y, other.z - body.z);
      const float square = r.x * r.x + r.y * r.y + r.z * r.z + softening2;
      const float root = rsqrtf(square);
      const float factor = other.w * root * root * root;
      sum.x += factor * r.x;
      sum.y += factor * r.y;
      sum.z += factor * r.z;
    }
    __syncthreads();
  }

  partial[part][x] = sum;
  __syncthreads();
  if (part == 0 && i < n) {
    for (int p = 1; p < parts - 1; ++p) {
      sum.x += partial[p][x].x;
      sum.y += partial[p][x].y;
      sum.z += partial[p][x].z;
    }
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;
    next_position[i] =
        make_float4(body.x + dt * v.x, body.y + dt * v.y, body.z + dt * v.z, body.w);
  }
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int blocks = (n + bodies - 1) / bodies;
  const dim3 threads(bodies, parts);
  nbody_kernel<<<blocks, threads>>>(position, velocity, next_position, next_velocity, dt,
                                    softening, n);
}

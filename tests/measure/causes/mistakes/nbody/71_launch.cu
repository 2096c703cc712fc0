// CAUSE: The two numbers of the launch are the wrong way around: it starts 256 blocks of as many threads as there should be blocks.
// LINES: 55
// REPAIR: nbody_kernel<<<blocks, threads>>>(position, velocity, next_position, next_velocity, dt, softening, n);
// SYMPTOM: Most bodies are never written and most slots of the tiles never filled (uninitialized reads), unless n happens to need 256 blocks; above 1024 blocks the launch fails.
#include "nbody.h"

namespace {

constexpr int threads = 256;

__device__ void add_pull(float3& sum, const float4& body, const float4& other, float softening) {
  const float rx = other.x - body.x;
  const float ry = other.y - body.y;
  const float rz = other.z - body.z;
  const float inverse = rsqrtf(rx * rx + ry * ry + rz * rz + softening * softening);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * rx;
  sum.y += pull * ry;
  sum.z += pull * rz;
}

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[threads];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * threads + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += threads) {
    const int j = first + tx;
    tile[tx] = j < n ? position[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < threads; ++k) add_pull(sum, body, tile[k], softening);
    __syncthreads();
  }

  if (i < n) {
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
  const int blocks = (n + threads - 1) / threads;
  nbody_kernel<<<threads, blocks>>>(position, velocity, next_position, next_velocity, dt,
                                    softening, n);
}

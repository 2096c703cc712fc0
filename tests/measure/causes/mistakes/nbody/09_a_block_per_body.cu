// CAUSE: The launch has n blocks of 256 threads, a block per body instead of a thread per body. The blocks past the end pass all tiles through shared memory and then store nothing.
// LINES: 54
// REPAIR: line 54: `<<<n, block>>>` -> `<<<(n + block - 1) / block, block>>>`
// GOOD HINT: How many threads do you launch altogether for n = 1000, and how many of them have a body? What do the others do until they get to the guard?
// SYMPTOM: Results right, but 256 times the loads and the time; time-outs for large n.
#include "nbody.h"

namespace {

constexpr int block = 256;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);

    __syncthreads();

    for (int k = 0; k < block; ++k) {
      const float4 other = tile[k];
      const float x = other.x - body.x, y = other.y - body.y, z = other.z - body.z;
      const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + softening * softening);
      const float pull = other.w * inverse * inverse * inverse;
      sum.x += pull * x;
      sum.y += pull * y;
      sum.z += pull * z;
    }

    __syncthreads();
  }

  // A thread without a body has nothing to store.
  if (i >= n) return;

  float4 v = velocity[i];
  v.x += dt * sum.x;
  v.y += dt * sum.y;
  v.z += dt * sum.z;
  next_velocity[i] = v;
  next_position[i] = make_float4(body.x + dt * v.x, body.y + dt * v.y, body.z + dt * v.z, body.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  nbody_kernel<<<n, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

// CAUSE: `first =+ block` assigns +block instead of adding it. So first stays at 64, and for n > 64 the loop over the tiles never ends.
// LINES: 18
// REPAIR: line 18: `first =+ block` -> `first += block`
// GOOD HINT: Write down the values that `first` takes for n = 200. Read your for statement character by character.
// SYMPTOM: Hang for n > 64 (time-out); right for n <= 64.
#include "nbody.h"

constexpr int block = 64;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  int tx = threadIdx.x;
  int i = blockIdx.x * block + tx;
  float4 body = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);

  for (int first = 0; first < n; first =+ block) {
    int j = first + tx;
    tile[tx] = j < n ? position[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < block; k++) {
      float x = tile[k].x - body.x;
      float y = tile[k].y - body.y;
      float z = tile[k].z - body.z;
      float d = sqrtf(x * x + y * y + z * z + softening * softening);
      float pull = tile[k].w / d / d / d;
      sum.x += pull * x;
      sum.y += pull * y;
      sum.z += pull * z;
    }
    __syncthreads();
  }

  if (i < n) {
    float4 v = velocity[i];
    v.x += dt * sum.x;
    v.y += dt * sum.y;
    v.z += dt * sum.z;
    next_velocity[i] = v;
    body.x += dt * v.x;
    body.y += dt * v.y;
    body.z += dt * v.z;
    next_position[i] = body;
  }
}

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

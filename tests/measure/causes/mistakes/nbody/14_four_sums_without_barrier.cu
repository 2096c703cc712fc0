// CAUSE: At the end (task 9) each thread stores its four sums in shared memory and then at once adds up the sums of its body, three of which other threads store. There is no barrier between.
// LINES: after 53
// REPAIR: insert `__syncthreads();` after line 53
// GOOD HINT: After the loop, who has stored the four partial sums that a thread adds up for its body? How does it know that they are there?
// SYMPTOM: Race on the partial sums, uninitialized reads: wrong or sporadically wrong accelerations for every n > 0.
#include "nbody.h"

namespace {

// Task 9: four bodies per thread, and four threads share the same four bodies.
constexpr int columns = 64;
constexpr int parts = 4;
constexpr int block = columns * parts;

__global__ void nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                             float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  __shared__ float3 sums[parts][block];
  const int tx = threadIdx.x;
  const int column = tx % columns, part = tx / columns;
  const int first_body = blockIdx.x * block;
  const float softening_squared = softening * softening;

  float4 body[parts];
  float3 sum[parts];
#pragma unroll
  for (int b = 0; b < parts; ++b) {
    const int j = first_body + b * columns + column;
    body[b] = j < n ? position[j] : make_float4(0, 0, 0, 0);
    sum[b] = make_float3(0, 0, 0);
  }

  for (int first = 0; first < n; first += block) {
    tile[tx] = first + tx < n ? position[first + tx] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < columns; ++k) {
      const float4 other = tile[part * columns + k];
#pragma unroll
      for (int b = 0; b < parts; ++b) {
        const float x = other.x - body[b].x, y = other.y - body[b].y, z = other.z - body[b].z;
        const float inverse = rsqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, softening_squared))));
        const float pull = other.w * inverse * inverse * inverse;
        sum[b].x = fmaf(pull, x, sum[b].x);
        sum[b].y = fmaf(pull, y, sum[b].y);
        sum[b].z = fmaf(pull, z, sum[b].z);
      }
    }
    __syncthreads();
  }

  // Hand over the partial sums: from here on a thread has one body.
#pragma unroll
  for (int b = 0; b < parts; ++b) sums[part][b * columns + column] = sum[b];

  const int i = first_body + tx;
  if (i >= n) return;
  float4 moving = velocity[i];
  for (int p = 0; p < parts; ++p) {
    moving.x += dt * sums[p][tx].x;
    moving.y += dt * sums[p][tx].y;
    moving.z += dt * sums[p][tx].z;
  }
  next_velocity[i] = moving;

  const float4 from = position[i];
  next_position[i] = make_float4(from.x + dt * moving.x, from.y + dt * moving.y,
                                 from.z + dt * moving.z, from.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = (n + block - 1) / block;
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

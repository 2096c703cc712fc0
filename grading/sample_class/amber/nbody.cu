// Reference solution. What limits this kernel is how many instructions a warp scheduler can issue,
// so everything but arithmetic has to go. A block still has as many threads as bodies, but a thread
// does not take one body through the whole tile: it takes four bodies through a quarter of it. Each
// load from the tile then serves four pairs, the four sums do not wait for each other, and as many
// threads as before keep the GPU busy. Per pair 16.4 instructions, 16 of which are arithmetic.

#include "nbody.h"

namespace {

constexpr int columns = 64;                // threads with different bodies
constexpr int quarters = 4;                // threads with the same bodies
constexpr int block = columns * quarters;  // threads, and bodies, of a block; bodies of a tile
constexpr int bodies_per_thread = block / columns;

// Past the last body this is a body of mass 0, which exerts no pull.
__device__ float4 load_body(const float4* position, int i, int n) {
  return i < n ? position[i] : make_float4(0, 0, 0, 0);
}

// Softening is the innermost term, so that it costs no addition of its own.
__device__ float3 add_pull(float3 sum, float4 body, float4 other, float softening_squared) {
  const float x = other.x - body.x;
  const float y = other.y - body.y;
  const float z = other.z - body.z;
  const float squared = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening_squared)));
  const float inverse = rsqrtf(squared);
  const float pull = other.w * inverse * inverse * inverse;
  return make_float3(fmaf(pull, x, sum.x), fmaf(pull, y, sum.y), fmaf(pull, z, sum.z));
}

__global__ void __launch_bounds__(block)
    nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                 float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tile[block];
  __shared__ float3 sums[quarters][block];
  const int column = threadIdx.x;
  const int quarter = threadIdx.y;
  const int thread = quarter * columns + column;
  const int first_body = blockIdx.x * block;
  const float softening_squared = softening * softening;

  float4 body[bodies_per_thread];
  float3 sum[bodies_per_thread];
#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) {
    body[k] = load_body(position, first_body + k * columns + column, n);
    sum[k] = make_float3(0, 0, 0);
  }

  for (int first = 0; first < n; first += block) {
    tile[thread] = load_body(position, first + thread, n);
    __syncthreads();
#pragma unroll 8
    for (int slot = 0; slot < columns; ++slot) {
      const float4 other = tile[quarter * columns + slot];
#pragma unroll
      for (int k = 0; k < bodies_per_thread; ++k) {
        sum[k] = add_pull(sum[k], body[k], other, softening_squared);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) sums[quarter][k * columns + column] = sum[k];
  __syncthreads();

  // From here on each thread has one body.
  const int i = first_body + thread;
  if (i >= n) return;
  float4 moving = velocity[i];
  for (int q = 0; q < quarters; ++q) {
    moving.x = fmaf(dt, sums[q][thread].x, moving.x);
    moving.y = fmaf(dt, sums[q][thread].y, moving.y);
    moving.z = fmaf(dt, sums[q][thread].z, moving.z);
  }
  next_velocity[i] = moving;

  const float4 from = position[i];
  next_position[i] = make_float4(fmaf(dt, moving.x, from.x), fmaf(dt, moving.y, from.y),
                                 fmaf(dt, moving.z, from.z), from.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = n / block + (n % block != 0);
  nbody_kernel<<<grid, dim3(columns, quarters)>>>(position, velocity, next_position, next_velocity,
                                                  dt, softening, n);
}

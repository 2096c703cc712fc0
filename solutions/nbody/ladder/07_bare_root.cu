// Step 7, beyond the reference solution: the root without its guard.
//
// The hardware's inverse root takes an argument below 2^-126 for 0. rsqrtf must not, so the
// compiler adds three instructions: a comparison, and a multiplication before and after. Here the
// argument is at least softening^2 >= 1e-12: the guard never acts, but the compiler cannot know
// that. CUDA has no function for the bare instruction, but nvcc and clang have a builtin, under the
// name that LLVM gave it. The result is that of rsqrtf, to the last bit.
//
// 12 multiplications, additions and multiply-adds and one root remain, which is the least that this
// way of adding up needs; 1/4 of a load from the tile and the loop's own instructions come on top.
// Slots: 13.4 per pair (1 MUFU)

#include "nbody.h"

extern "C" __device__ float __nvvm_rsqrt_approx_ftz_f(float x);

namespace {

constexpr int columns = 64;                // threads with different bodies
constexpr int quarters = 4;                // threads with the same bodies
constexpr int block = columns * quarters;  // threads, and bodies, of a block; bodies of a tile
constexpr int bodies_per_thread = block / columns;

// Past the last body this is a body of mass 0, which exerts no pull.
__device__ float4 load_body(const float4* position, int i, int n) {
  return i < n ? position[i] : make_float4(0, 0, 0, 0);
}

// x is neither 0 nor denormal.
__device__ float inverse_root(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }

// Softening is the innermost term, so that it costs no addition of its own.
__device__ float3 add_pull(float3 sum, float4 body, float4 other, float softening_squared) {
  const float x = other.x - body.x;
  const float y = other.y - body.y;
  const float z = other.z - body.z;
  const float squared = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening_squared)));
  const float inverse = inverse_root(squared);
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

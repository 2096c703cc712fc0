// Step 9: nobody waits for anybody, and every multiprocessor has work.
//
// Each warp has a tile of its own, of 32 bodies: it loads them, and no other warp reads them, so
// the loop needs no barrier of the block. While a warp goes through its tile, its next bodies are
// already on their way to registers. The 16 warps of a block take the same 128 bodies through
// different tiles, and add up their sums in the end.
//
// So a block needs only 128 bodies to be busy: n = 16,384 makes 128 blocks for the 132
// multiprocessors of an H200, where step 8 makes 64. Per pair it costs the same. With half as many
// bodies per block, all bodies are loaded twice as often: 16/128 bytes per pair, which is nothing.
// Slots: 13.4 per pair (1 MUFU)
// Misses: memory

#include "nbody.h"

#ifdef __CUDA_ARCH__
extern "C" __device__ float __nvvm_rsqrt_approx_ftz_f(float x);
#endif

namespace {

constexpr int lanes = 32;
constexpr int warps = 16;
constexpr int block = warps * lanes;
constexpr int bodies_per_thread = 4;
constexpr int bodies = lanes * bodies_per_thread;  // of a block, and of each of its warps

// Past the last body there is one of mass 0, which pulls at nobody.
__device__ float4 load_body(const float4* position, int i, int n) {
  return i < n ? position[i] : make_float4(0, 0, 0, 0);
}

// x is neither 0 nor denormal.
__device__ float inverse_root(float x) {
#ifdef __CUDA_ARCH__
  return __nvvm_rsqrt_approx_ftz_f(x);
#else
  return rsqrtf(x);  // the compiler of the host's half, and the emulator
#endif
}

__device__ float3 add_pull(float3 sum, float4 body, float4 other, float softening_squared) {
  const float x = other.x - body.x;
  const float y = other.y - body.y;
  const float z = other.z - body.z;
  const float squared = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening_squared)));
  const float inverse = inverse_root(squared);
  const float pull = other.w * inverse * inverse * inverse;
  return make_float3(fmaf(pull, x, sum.x), fmaf(pull, y, sum.y), fmaf(pull, z, sum.z));
}

// 64 registers per thread, so that two blocks share a multiprocessor.
__global__ void __launch_bounds__(block, 2)
    nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                 float4* next_velocity, float dt, float softening, int n) {
  __shared__ float4 tiles[warps][lanes];
  __shared__ float3 sums[warps][bodies];
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const int first_body = blockIdx.x * bodies;
  const float softening_squared = softening * softening;
  float4* tile = tiles[warp];

  float4 body[bodies_per_thread];
  float3 sum[bodies_per_thread];
#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) {
    body[k] = load_body(position, first_body + k * lanes + lane, n);
    sum[k] = make_float3(0, 0, 0);
  }

  float4 next = load_body(position, threadIdx.x, n);
  for (int first = warp * lanes; first < n; first += block) {
    tile[lane] = next;
    next = load_body(position, first + block + lane, n);
    __syncwarp();
#pragma unroll 8
    for (int slot = 0; slot < lanes; ++slot) {
      const float4 other = tile[slot];
#pragma unroll
      for (int k = 0; k < bodies_per_thread; ++k) {
        sum[k] = add_pull(sum[k], body[k], other, softening_squared);
      }
    }
    __syncwarp();
  }

#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) sums[warp][k * lanes + lane] = sum[k];
  __syncthreads();

  // From here on a thread has one body, and most threads have none.
  const int own = threadIdx.x;
  const int i = first_body + own;
  if (own >= bodies || i >= n) return;
  float3 total = make_float3(0, 0, 0);
  for (int w = 0; w < warps; ++w) {
    total.x += sums[w][own].x;
    total.y += sums[w][own].y;
    total.z += sums[w][own].z;
  }
  float4 moving = velocity[i];
  moving.x = fmaf(dt, total.x, moving.x);
  moving.y = fmaf(dt, total.y, moving.y);
  moving.z = fmaf(dt, total.z, moving.z);
  next_velocity[i] = moving;

  const float4 from = position[i];
  next_position[i] = make_float4(fmaf(dt, moving.x, from.x), fmaf(dt, moving.y, from.y),
                                 fmaf(dt, moving.z, from.z), from.w);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  const int grid = n / bodies + (n % bodies != 0);
  nbody_kernel<<<grid, block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

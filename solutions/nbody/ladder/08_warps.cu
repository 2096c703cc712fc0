// Step 8: no warp waits for another, and every multiprocessor has work.
//
// Each warp has a tile of its own, of 32 bodies: it loads them, and no other warp reads them, so
// the loop needs no barrier. While a warp goes through its tile, its next bodies are already on
// their way to registers. The warps of a block take the same bodies through different tiles, and
// add up their sums at the end.
//
// So a block needs few bodies to be busy. Where there are few it takes 128, and n = 16,384 makes
// 128 blocks for the 132 multiprocessors of an H200, where step 7 makes 64. Where there are enough
// it takes 256, eight for each thread, and 1/8 of a load per pair. More blocks load all bodies more
// often, 16/128 bytes per pair: that is nothing.
// Slots: 13.2 per pair (1 MUFU)
// Misses: memory

#include "nbody.h"

extern "C" __device__ float __nvvm_rsqrt_approx_ftz_f(float x);

namespace {

constexpr int lanes = 32;

// A block's shape, by how many bodies a thread has.
template <int bodies_per_thread>
struct Shape {
  static constexpr int warps = 64 / bodies_per_thread;
  static constexpr int block = warps * lanes;
  static constexpr int bodies = bodies_per_thread * lanes;  // of a block, and of each of its warps
  static_assert(bodies <= block, "in the end each body has a thread");
};

// Past the last body this is a body of mass 0, which exerts no pull.
__device__ float4 load_body(const float4* position, int i, int n) {
  return i < n ? position[i] : make_float4(0, 0, 0, 0);
}

// x is neither 0 nor denormal.
__device__ float inverse_root(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }

__device__ float3 add_pull(float3 sum, float4 body, float4 other, float softening_squared) {
  const float x = other.x - body.x;
  const float y = other.y - body.y;
  const float z = other.z - body.z;
  const float squared = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening_squared)));
  const float inverse = inverse_root(squared);
  const float pull = other.w * inverse * inverse * inverse;
  return make_float3(fmaf(pull, x, sum.x), fmaf(pull, y, sum.y), fmaf(pull, z, sum.z));
}

// The 1 says that one block per multiprocessor is enough, so the compiler may spend registers on
// more of the loop at a time: it uses 127. Two blocks still fit.
template <int bodies_per_thread>
__global__ void __launch_bounds__(Shape<bodies_per_thread>::block, 1)
    nbody_kernel(const float4* position, const float4* velocity, float4* next_position,
                 float4* next_velocity, float dt, float softening, int n) {
  constexpr int warps = Shape<bodies_per_thread>::warps;
  constexpr int block = Shape<bodies_per_thread>::block;
  constexpr int bodies = Shape<bodies_per_thread>::bodies;
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
#pragma unroll(128 / bodies_per_thread)
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

  // From here on a thread has one body, or none.
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

template <int bodies_per_thread>
void launch(const float4* position, const float4* velocity, float4* next_position,
            float4* next_velocity, float dt, float softening, int n) {
  using Of = Shape<bodies_per_thread>;
  const int grid = n / Of::bodies + (n % Of::bodies != 0);
  nbody_kernel<bodies_per_thread>
      <<<grid, Of::block>>>(position, velocity, next_position, next_velocity, dt, softening, n);
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  constexpr int enough = 1 << 16;
  if (n >= enough) {
    launch<8>(position, velocity, next_position, next_velocity, dt, softening, n);
  } else if (n > 0) {
    launch<4>(position, velocity, next_position, next_velocity, dt, softening, n);
  }
}

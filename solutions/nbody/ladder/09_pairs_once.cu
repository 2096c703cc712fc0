// Step 9: each pair once. What body j does to body i, body i does to body j: the difference and the
// root are the same for both.
//
// A warp holds 256 bodies, eight per lane, and lets other bodies pass by, 32 at a time. In each
// round a lane takes a different one of those 32 from the tile, and its sum from the next lane:
// after 32 rounds every body has met every other, and each sum is back where it began. No two lanes
// ever touch the same sum; only at the end of a tile is it added to global memory, by an atomic
// operation.
//
// Groups of 256 bodies form a circle. Each meets itself, where no pair is saved, and the half of
// the circle that follows it. Meanwhile next_velocity holds the accelerations, so no other memory
// is needed. The sums are added up in an order that changes from run to run, and so do their last
// bits.
//
// Per pair of bodies 17 instructions: 3 subtractions, 3 multiply-adds and the root for both, 4
// multiplications, 6 multiply-adds into the two sums. A load and 3 shuffles serve eight pairs. That
// is half as much, 9.0, for what the steps before it count as a pair.
//
// In tests with few bodies many warps load the same 256, which is much of the traffic.
// Slots: 17.9 per pair (4 FMUL)
// Misses: memory

#include "nbody.h"

extern "C" __device__ float __nvvm_rsqrt_approx_ftz_f(float x);

namespace {

constexpr int lanes = 32;
constexpr int warps = 4;
constexpr int bodies_per_thread = 8;
constexpr int group_size = lanes * bodies_per_thread;
constexpr int tiles_per_group = bodies_per_thread;
constexpr unsigned all_lanes = 0xffffffff;

// Past the last body this is a body of mass 0, which exerts no pull.
__device__ float4 load_body(const float4* position, int i, int n) {
  return i < n ? position[i] : make_float4(0, 0, 0, 0);
}

// x is neither 0 nor denormal.
__device__ float inverse_root(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }

__device__ void add(float3& sum, float factor, float3 r) {
  sum = make_float3(fmaf(factor, r.x, sum.x), fmaf(factor, r.y, sum.y), fmaf(factor, r.z, sum.z));
}

__device__ void add_to_memory(float4* acceleration, int i, float3 sum, int n) {
  if (i >= n) return;
  atomicAdd(&acceleration[i].x, sum.x);
  atomicAdd(&acceleration[i].y, sum.y);
  atomicAdd(&acceleration[i].z, sum.z);
}

__device__ float3 from_next_lane(float3 value) {
  const int source = (threadIdx.x + 1) % lanes;
  return make_float3(__shfl_sync(all_lanes, value.x, source),
                     __shfl_sync(all_lanes, value.y, source),
                     __shfl_sync(all_lanes, value.z, source));
}

// Adds up the pulls between the warp's bodies and the 32 of the tile. Returns what the warp's
// bodies do to the lane's own body of the tile, unless `both` is false.
template <bool both>
__device__ float3 meet(const float4* tile, const float4* body, float3* sum,
                       float softening_squared) {
  float3 sum_of_other = make_float3(0, 0, 0);
#pragma unroll 4
  for (int round = 0; round < lanes; ++round) {
    const float4 other = tile[threadIdx.x % lanes + round];
#pragma unroll
    for (int k = 0; k < bodies_per_thread; ++k) {
      const float3 r = make_float3(other.x - body[k].x, other.y - body[k].y, other.z - body[k].z);
      const float squared = fmaf(r.x, r.x, fmaf(r.y, r.y, fmaf(r.z, r.z, softening_squared)));
      const float inverse = inverse_root(squared);
      const float cube = inverse * inverse * inverse;
      add(sum[k], other.w * cube, r);
      if (both) add(sum_of_other, -body[k].w * cube, r);
    }
    if (both) sum_of_other = from_next_lane(sum_of_other);
  }
  return sum_of_other;
}

// Block (g, s) takes group g through a share of the groups that follow it; its warps take turns.
__global__ void __launch_bounds__(warps* lanes)
    pull_kernel(const float4* position, float4* acceleration, float softening, int n, int groups) {
  __shared__ float4 tiles[warps][2 * lanes];  // each tile twice, for lanes that begin in the middle
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const int group = blockIdx.x;
  const float softening_squared = softening * softening;
  float4* tile = tiles[warp];

  float4 body[bodies_per_thread];
  float3 sum[bodies_per_thread];
#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) {
    body[k] = load_body(position, group * group_size + k * lanes + lane, n);
    sum[k] = make_float3(0, 0, 0);
  }

  // Of two groups that are opposite in the circle, only the first one meets the other.
  const bool faces_later = groups % 2 == 0 && group < groups / 2;
  const int others = (groups - 1) / 2 + faces_later;
  const int tiles_to_meet = (1 + others) * tiles_per_group;
  const int stride = gridDim.y * warps;
  for (int t = blockIdx.y * warps + warp; t < tiles_to_meet; t += stride) {
    const int distance = t / tiles_per_group;
    const int j = (group + distance) % groups * group_size + t % tiles_per_group * lanes + lane;
    const float4 other = load_body(position, j, n);
    tile[lane] = other;
    tile[lane + lanes] = other;
    __syncwarp();
    if (distance == 0) {
      meet<false>(tile, body, sum, softening_squared);
    } else {
      add_to_memory(acceleration, j, meet<true>(tile, body, sum, softening_squared), n);
    }
    __syncwarp();
  }

#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k) {
    add_to_memory(acceleration, group * group_size + k * lanes + lane, sum[k], n);
  }
}

__global__ void move_kernel(const float4* position, const float4* velocity, float4* next_position,
                            float4* next_velocity, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 acceleration = next_velocity[i];
  float4 moving = velocity[i];
  moving.x = fmaf(dt, acceleration.x, moving.x);
  moving.y = fmaf(dt, acceleration.y, moving.y);
  moving.z = fmaf(dt, acceleration.z, moving.z);
  next_velocity[i] = moving;

  const float4 from = position[i];
  next_position[i] = make_float4(fmaf(dt, moving.x, from.x), fmaf(dt, moving.y, from.y),
                                 fmaf(dt, moving.z, from.z), from.w);
}

// How many blocks should share a group's work: enough for a thousand blocks in all.
int shares_of(int groups) {
  constexpr int enough = 1024;
  const int tiles = (groups / 2 + 1) * tiles_per_group;
  const int most = (tiles + warps - 1) / warps;
  const int wanted = (enough + groups - 1) / groups;
  return wanted < most ? wanted : most;
}

}  // namespace

void nbody_step(const float4* position, const float4* velocity, float4* next_position,
                float4* next_velocity, float dt, float softening, int n) {
  if (n == 0) return;
  cudaMemsetAsync(next_velocity, 0, n * sizeof(float4));
  const int groups = n / group_size + (n % group_size != 0);
  pull_kernel<<<dim3(groups, shares_of(groups)), warps * lanes>>>(position, next_velocity,
                                                                  softening, n, groups);
  constexpr int block = 256;
  move_kernel<<<n / block + (n % block != 0), block>>>(position, velocity, next_position,
                                                       next_velocity, dt, n);
}

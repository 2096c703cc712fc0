// Kernels whose traffic can be counted by hand.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>

#include "count_kernels.h"

namespace {

__constant__ float table[4];
__device__ float device_table[4];
const float host_table[4] = {1, 2, 3, 4};

__global__ void copy_kernel(const float* in, float* out, int stride, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride + offset];  // @copy
}

template <class T>
__global__ void copy_vectors(const T* in, T* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @copy_vectors
}

__global__ void copy_triples(const float3* in, float3* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @copy_triples
}

__global__ void broadcast_kernel(const float* in, float* out) {
  out[threadIdx.x] = in[5];  // @broadcast
}

__global__ void add_to(float* a, float x) {
  a[threadIdx.x] += x;  // @add_to
}

__global__ void shared_atomic_kernel(unsigned* out) {
  __shared__ unsigned bin[64];
  bin[threadIdx.x] = bin[threadIdx.x + 32] = 0;
  __syncthreads();
  atomicAdd(&bin[0], 1);                     // @increment_same
  atomicAdd(&bin[threadIdx.x % 2 * 32], 1);  // @increment_two
  const unsigned one = 1;
  unsigned unknown = out[0];
  atomicAdd(&bin[0], one);                                   // @increment_by_name
  atomicAdd(&bin[0], unknown);                               // @add_unknown
  atomicAdd(&bin[0], threadIdx.x);                           // @add_same
  const unsigned old = atomicAdd(&bin[threadIdx.x % 2], 1);  // @count
  __syncthreads();
  out[threadIdx.x] = bin[0] + old;
}

__global__ void scale_by_table(float* a) {
  a[threadIdx.x] = table[2];  // @constant
}

__global__ void look_up_kernel(float* a) { a[threadIdx.x] = table[threadIdx.x % 4]; }

__global__ void atomic_kernel(int* counter, int* bins) {
  atomicAdd(counter, 1);                 // @atomic_same
  atomicMax(&bins[threadIdx.x * 8], 3);  // @atomic_apart
}

__global__ void update_kernel(int* counter, int* bins) {
  const int own = threadIdx.x;
  atomicAdd(&bins[own], own);                     // @atomic_update
  atomicExch(&bins[own + 32], 3);                 // @atomic_exchange
  const int old = atomicAdd(&bins[own + 64], 0);  // @atomic_old
  if (old == 7) *counter = old;
}

template <int pitch>
__global__ void transpose_kernel(const float* in, float* out) {
  __shared__ float tile[32][pitch];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];  // @transpose_in
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // @transpose_out
}

template <class T>
__global__ void shared_vectors(T* out, int stride) {
  __shared__ T tile[256];
  tile[threadIdx.x * stride % 256] = T();
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * stride % 256];  // @shared_vectors
}

/// Lanes whose numbers differ in this bit alone read the same element.
__global__ void shared_pairs_kernel(float4* out, int bit) {
  __shared__ float4 tile[32];
  tile[threadIdx.x] = float4();
  __syncthreads();
  const int low = threadIdx.x & ((1 << bit) - 1), high = threadIdx.x >> (bit + 1);
  out[threadIdx.x] = tile[high << bit | low];
}

__global__ void shared_unlike_pairs_kernel(float4* out) {
  __shared__ float4 tile[32];
  tile[threadIdx.x] = float4();
  __syncthreads();
  const int two_apart = threadIdx.x / 4 * 2 + threadIdx.x % 2;
  out[threadIdx.x] = tile[threadIdx.x < 16 ? two_apart : threadIdx.x / 2];
}

__global__ void divergent_kernel(const int* in, int* out) {
  const int i = threadIdx.x;
  int x = in[i];  // @before_branch
  if (i % 2 == 0) {
    x += in[i + 32];  // @even
  } else {
    x -= in[i + 64];  // @odd
  }
  out[i] = x + in[i + 96];  // @after_branch
}

__global__ void lane_trips_kernel(const int* in, int* out) {
  int sum = 0;
  for (int k = 0; k < threadIdx.x; ++k) sum += in[k * 32 + threadIdx.x];  // @lane_trips
  out[threadIdx.x] = sum;                                                 // @after_lane_trips
}

// Lane l runs the inner loop from round l % 4 on, so the first rounds are empty for some lanes.
__global__ void empty_rounds_kernel(const int* in, int* out) {
  int sum = 0;
  for (int round = 0; round < 8; ++round) {
    const int trips = round >= threadIdx.x % 4 ? 2 : 0;
    for (int k = 0; k < trips; ++k) sum += in[(round * 2 + k) * 32 + threadIdx.x];  // @inner
  }
  out[threadIdx.x] = sum;  // @after_rounds
}

__global__ void skipping_kernel(const int* in, int* out) {
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    if ((threadIdx.x + k) % 2 == 0) continue;
    sum += in[k * 32 + threadIdx.x];  // @not_skipped
  }
  out[threadIdx.x] = sum;
}

__global__ void early_return_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i];  // @early_return
}

__global__ void reduce_kernel(const int* in, int* out) {
  __shared__ int sums[256];
  sums[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];  // @reduce_load
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];  // @reduce_step
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];  // @reduce_store
}

// One block loads more often than the others, writes a word with all of its threads, passes a
// barrier less, or writes each word of its array with two threads.
__global__ void unlike_kernel(const int* in, int* out, int block, Unlike unlike) {
  __shared__ int values[32], last;
  const bool is_unlike = blockIdx.x == block;
  const int loads = is_unlike && unlike == Unlike::loads ? 8 : 1;
  int sum = 0;
  for (int k = 0; k < loads; ++k) sum += in[(blockIdx.x + k) % gridDim.x * 32 + threadIdx.x];
  if (is_unlike && unlike == Unlike::stores) last = sum;
  const int words = is_unlike && unlike == Unlike::words ? 16 : 32;
  values[threadIdx.x % words] = sum;
  if (!is_unlike || unlike != Unlike::barriers) __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = values[(31 - threadIdx.x) % words];
  if (sum == -1) out[0] = last;
}

__global__ void shuffle_kernel(const int* in, int* out) {
  int x = in[threadIdx.x];  // @shuffle_load
  if (threadIdx.x < 16) x += __shfl_xor_sync(0xffffu, x, 1);
  x += in[threadIdx.x + 64];  // @shuffle_again
  for (int delta = 16; delta > 0; delta /= 2) x += __shfl_down_sync(0xffffffffu, x, delta);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = x;  // @shuffle_store
}

// More accesses than a log holds, and not the same number in every lane.
__global__ void long_kernel(const int* in, int* out, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += in[k];                                          // @long_uniform
    if (threadIdx.x % 3 == 0) sum += in[k + threadIdx.x];  // @long_third
  }
  out[threadIdx.x] = sum;
}

// Makes so many accesses, or passes so many basic blocks, that their log is full at one of the
// atomic operations.
__global__ void long_atomic_kernel(int* sums, int n, int rounds) {
  int hash = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    for (int round = 0; round < rounds + k % 7; ++round) hash = hash * 5 + round;
    const int old = atomicAdd(&sums[k], static_cast<int>(threadIdx.x));
    if (old == -1) hash = 0;
  }
  if (hash == 1) sums[0] = 0;
}

__global__ void dynamic_kernel(float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = threadIdx.x;  // @dynamic_store
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * 2 % 64];  // @dynamic_load
}

struct Body {
  float4 position;
  float mass;
};

__global__ void copy_bodies(const Body* in, Body* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @bodies
}

struct Plain {
  int a, b, c, d, e;
};

__global__ void copy_plain(const Plain* in, Plain* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @plain
}

__device__ int twice(const int* p) { return 2 * *p; }  // @inlined
__global__ void call_kernel(const int* in, int* out) {
  out[threadIdx.x] = twice(in + threadIdx.x) + twice(in + 32 + threadIdx.x);  // @call
}

__global__ void shifted_kernel(const float* in, float* out) {
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += in[threadIdx.x + k];  // @shifted
  out[threadIdx.x] = sum;
}

__global__ void shared_broadcast_kernel(float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x] = 1;
  __syncthreads();
  const float all = tile[7];                  // @one_word
  const float pairs = tile[threadIdx.x / 2];  // @pairs_of_lanes
  out[threadIdx.x] = all + pairs;
}

// Lanes reach the barrier in different rounds of the loop, and continue from there together.
__global__ void rounds_apart_kernel(const int* in, int* out) {
  const int late = threadIdx.x % 2;
  int sum = 0;
  for (int round = 0; round < 4 + late; ++round) {
    if (round < late) continue;
    __syncthreads();
    sum += in[32 * (round - late) + threadIdx.x];  // @rounds_apart
  }
  out[threadIdx.x] = sum;
}

__global__ void local_kernel(const int* in, int* out) {
  int own[8];
  for (int i = 0; i < 8; ++i) own[i] = in[i];
  out[threadIdx.x] = own[in[threadIdx.x] % 8];
}

__global__ void copy_async_kernel(const int* in, int* out) {
  __shared__ alignas(16) int tile[256];
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, in, sizeof tile);  // @copy_async
  cooperative_groups::wait(block);
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void copy_part_kernel(const int* in, int* out) {
  __shared__ alignas(16) int tile[4 * 64];
  int* const own = &tile[4 * threadIdx.x];
  __pipeline_memcpy_async(own, &in[4 * threadIdx.x], 16, 12);
  __pipeline_memcpy_async(&own[4 * 32], in, 16, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = own[0] + own[4 * 32] + in[threadIdx.x];
}

__global__ void copy_bulk_piece_kernel(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int tile[16];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, &in[4], cuda::aligned_size_t<16>(sizeof tile), barrier);
    (void)cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  }
  barrier.wait_parity(false);
  out[threadIdx.x] = tile[threadIdx.x % 16];
}

// Each thread copies a sector in two pieces.
__global__ void copy_bulk_pieces_kernel(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int tile[256];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 32);
  __syncthreads();
  for (int first = 0; first < 8; first += 4) {
    const int own = 8 * threadIdx.x + first;
    cuda::device::memcpy_async_tx(&tile[own], &in[own], cuda::aligned_size_t<16>(16), barrier);
  }
  (void)cuda::device::barrier_arrive_tx(barrier, 1, 32);
  barrier.wait_parity(false);
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void copy_bulk_kernel(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int tile[256];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int first = 128; first >= 0; first -= 128) {
      cuda::device::memcpy_async_tx(&tile[first], &in[first],  // @copy_bulk
                                    cuda::aligned_size_t<16>(512), barrier);
    }
    (void)cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  }
  barrier.wait_parity(false);
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void neighbors_kernel(float* out, int pitch, int words, int turn) {
  __shared__ alignas(16) float tile[33 * 32];
  for (int i = threadIdx.x; i < 33 * 32; i += 32) tile[i] = 1;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < words; ++i) {
    if (i == turn) __syncthreads();
    sum += tile[pitch * threadIdx.x + i];  // @neighbors
  }
  out[threadIdx.x] = sum;
}

struct Triple {
  float x, y, z;
};

__global__ void points_kernel(float* out) {
  __shared__ alignas(16) Triple points[32];
  points[threadIdx.x] = {1, 2, 3};
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += points[i].x + points[i].y + points[i].z;  // @points
  }
  out[threadIdx.x] = sum;
}

__global__ void in_turn_kernel(float* out) {
  __shared__ alignas(16) float a[128], b[128];
  for (int i = 0; i < 4; ++i) a[32 * i + threadIdx.x] = b[32 * i + threadIdx.x] = 1;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += a[4 * threadIdx.x + i] * b[32 * i + threadIdx.x];  // @in_turn
  }
  out[threadIdx.x] = sum;
}

}  // namespace

void copy(const float* in, float* out, int stride, int offset, int blocks, int threads) {
  copy_kernel<<<blocks, threads>>>(in, out, stride, offset);
}
void copy_float2(const float2* in, float2* out) { copy_vectors<<<1, 32>>>(in, out); }
void copy_float4(const float4* in, float4* out) { copy_vectors<<<1, 32>>>(in, out); }
void copy_double2(const double2* in, double2* out) { copy_vectors<<<1, 32>>>(in, out); }
void copy_float3(const float3* in, float3* out) { copy_triples<<<1, 32>>>(in, out); }
void broadcast(const float* in, float* out) { broadcast_kernel<<<1, 32>>>(in, out); }
void add(float* a) { add_to<<<1, 32>>>(a, 1.0f); }
void fill_table_from_host() { cudaMemcpyToSymbol(table, host_table, sizeof table); }

void fill_table_from_device() {
  void* from = nullptr;
  cudaGetSymbolAddress(&from, device_table);
  cudaMemcpyToSymbol(table, from, sizeof table, 0, cudaMemcpyDeviceToDevice);
}

void use_table(float* a) { scale_by_table<<<1, 32>>>(a); }
void look_up(float* a) { look_up_kernel<<<1, 32>>>(a); }
void add_in_shared(unsigned* out) { shared_atomic_kernel<<<1, 32>>>(out); }
void count_atomically(int* counter, int* bins) { atomic_kernel<<<1, 32>>>(counter, bins); }
void update_atomically(int* counter, int* bins) { update_kernel<<<1, 32>>>(counter, bins); }
void transpose(const float* in, float* out, bool padded) {
  if (padded) {
    transpose_kernel<33><<<1, dim3(32, 32)>>>(in, out);
  } else {
    transpose_kernel<32><<<1, dim3(32, 32)>>>(in, out);
  }
}
void shared_float2(float2* out, int stride) { shared_vectors<<<1, 32>>>(out, stride); }
void shared_pairs(float4* out, int bit) { shared_pairs_kernel<<<1, 32>>>(out, bit); }
void shared_unlike_pairs(float4* out) { shared_unlike_pairs_kernel<<<1, 32>>>(out); }
void shared_float4(float4* out, int stride) { shared_vectors<<<1, 32>>>(out, stride); }
void diverge(const int* in, int* out) { divergent_kernel<<<1, 32>>>(in, out); }
void lane_trips(const int* in, int* out) { lane_trips_kernel<<<1, 32>>>(in, out); }
void empty_rounds(const int* in, int* out) { empty_rounds_kernel<<<1, 32>>>(in, out); }
void skip_some(const int* in, int* out) { skipping_kernel<<<1, 32>>>(in, out); }
void early_return(const int* in, int* out, int n) { early_return_kernel<<<2, 64>>>(in, out, n); }
void reduce(const int* in, int* out, int blocks) { reduce_kernel<<<blocks, 256>>>(in, out); }
void launch_unlike(const int* in, int* out, int blocks, int block, Unlike unlike) {
  unlike_kernel<<<blocks, 32>>>(in, out, block, unlike);
}
void shuffle(const int* in, int* out) { shuffle_kernel<<<1, 32>>>(in, out); }
void run_long(const int* in, int* out, int n) { long_kernel<<<1, 64>>>(in, out, n); }
void run_long_atomic(int* sums, int n, int rounds) {
  long_atomic_kernel<<<1, 64>>>(sums, n, rounds);
}
void use_dynamic(float* out) { dynamic_kernel<<<1, 64, 64 * sizeof(float)>>>(out); }
void copy_structs(const void* in, void* out) {
  copy_bodies<<<1, 32>>>(static_cast<const Body*>(in), static_cast<Body*>(out));
}
void copy_plain_structs(const void* in, void* out) {
  copy_plain<<<1, 32>>>(static_cast<const Plain*>(in), static_cast<Plain*>(out));
}
void call_function(const int* in, int* out) { call_kernel<<<1, 32>>>(in, out); }
void shifted(const float* in, float* out) { shifted_kernel<<<1, 32>>>(in, out); }
void shared_broadcast(float* out) { shared_broadcast_kernel<<<1, 32>>>(out); }
void rounds_apart(const int* in, int* out) { rounds_apart_kernel<<<1, 32>>>(in, out); }
void use_local(const int* in, int* out) { local_kernel<<<1, 32>>>(in, out); }
void copy_async(const int* in, int* out) { copy_async_kernel<<<1, 64>>>(in, out); }
void copy_part(const int* in, int* out) { copy_part_kernel<<<1, 32>>>(in, out); }
void copy_bulk(const int* in, int* out) { copy_bulk_kernel<<<1, 64>>>(in, out); }
void copy_bulk_piece(const int* in, int* out) { copy_bulk_piece_kernel<<<1, 64>>>(in, out); }
void copy_bulk_pieces(const int* in, int* out) { copy_bulk_pieces_kernel<<<1, 32>>>(in, out); }
void read_neighbors(float* out, int pitch, int words, int turn) {
  neighbors_kernel<<<1, 32>>>(out, pitch, words, turn);
}
void read_points(float* out) { points_kernel<<<1, 32>>>(out); }
void read_in_turn(float* out) { in_turn_kernel<<<1, 32>>>(out); }

// Kernels that each do one thing wrong, and their siblings that do it right.

#include <cstring>

#include "finding_kernels.h"

namespace {

template <bool first, bool second>
__global__ void shift_kernel(const int* in, int* out) {
  __shared__ int tile[64];
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = in[threadIdx.x];  // @shift_store
    if (first) __syncthreads();
    out[round * 64 + threadIdx.x] = tile[(threadIdx.x + 33) % 64];  // @shift_load
    if (second) __syncthreads();
  }
}

__global__ void same_slot_kernel(int* out) {
  __shared__ int slot;
  slot = threadIdx.x;  // @same_slot
  __syncthreads();
  if (threadIdx.x == 0) *out = slot;
}

__global__ void same_flag_kernel(int* out) {
  if (threadIdx.x >= 30) *out = 1;  // @same_flag
}

__global__ void same_flag_shared_kernel(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x % 2 == 0) flag = 1;  // @same_flag_shared
  __syncthreads();
  if (threadIdx.x == 0) *out = flag;
}

__global__ void all_read_one_writes_kernel(int* out) {
  __shared__ int slot;
  if (threadIdx.x == 0) slot = 1;
  __syncthreads();
  out[threadIdx.x] = slot;         // @all_read
  if (threadIdx.x == 0) slot = 2;  // @one_writes
}

// The detector takes the loads long before the store happens.
__global__ void read_long_before_kernel(int* slot, const int* in, int* out) {
  int sum = *slot;  // @read_long_before
  for (int i = 0; i < 20000; ++i) sum += in[i % 8];
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0) *slot = sum;  // @write_long_after
}

__global__ void last_block_writes_kernel(int* slot, int* out) {
  out[blockIdx.x] = *slot;                     // @every_block_reads
  if (blockIdx.x == gridDim.x - 1) *slot = 7;  // @last_block_writes
}

__global__ void neighbor_bytes_kernel(char* out) {
  __shared__ char bytes[64];
  bytes[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = bytes[63 - threadIdx.x];
}

__global__ void collide_kernel(int* out) {
  out[threadIdx.x] = blockIdx.x;  // @collide
}

__global__ void read_each_other_kernel(int* data) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const int next = data[(i + 1) % (gridDim.x * 32)];  // @other_read
  __syncthreads();
  data[i] = next;  // @other_write
}

__global__ void unsafe_sum_kernel(int* sum) {
  *sum += threadIdx.x;  // @unsafe_sum
}

__global__ void atomic_sum_kernel(int* sum) { atomicAdd(sum, threadIdx.x); }

__global__ void atomic_and_plain_kernel(int* sum, int* out) {
  atomicAdd(sum, 1);        // @atomic
  out[threadIdx.x] = *sum;  // @plain
}

template <bool synchronized>
__global__ void warp_exchange_kernel(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // @warp_store
  if (synchronized) __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];  // @warp_load
}

__global__ void shuffle_exchange_kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;  // @shuffled_store
  const int x = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
  out[threadIdx.x] = tile[x];  // @shuffled_load
}

// Each half of the warp synchronizes on its own, which is right within a half and wrong across.
__global__ void half_warps_kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;  // @half_store
  __syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
  if (threadIdx.x == 3) out[32] = tile[20];  // @half_load
}

__global__ void copy_kernel(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @copy_unwritten
}

__global__ void unwritten_shared_kernel(int* out) {
  __shared__ int tile[32];
  if (threadIdx.x < 30) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // @unwritten_shared
}

__global__ void write_then_read_kernel(int* scratch, int* out) {
  scratch[threadIdx.x] = 3;
  out[threadIdx.x] = scratch[threadIdx.x];
}

__global__ void store_kernel(int* out, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + offset] = i;  // @store
}

__global__ void store_unsigned_kernel(int* out, unsigned back) {
  out[threadIdx.x - back] = 1;  // @store_unsigned
}

__global__ void past_shared_kernel(int* out, int i) {
  __shared__ int tile[8];
  tile[i] = 1;  // @past_shared
  *out = tile[0];
}

__global__ void past_dynamic_kernel(int* out, int i) {
  extern __shared__ int dynamic[];
  dynamic[i] = 1;  // @past_dynamic
  *out = dynamic[0];
}

__global__ void misaligned_kernel(const int* in, int* out) {
  const int4 four = *reinterpret_cast<const int4*>(in + 1);  // @misaligned
  *out = four.x + four.y + four.z + four.w;
}

__global__ void misaligned_shared_kernel(int* out, int i) {
  __shared__ __align__(16) char bytes[16];
  *reinterpret_cast<int*>(bytes + i) = 1;  // @misaligned_shared
  *out = bytes[2];
}

__global__ void write_one(int* out) {
  *out = 1;  // @write_one
}
__global__ void read_one(const int* in, int* out) {
  *out = *in;  // @read_one
}

__constant__ int table[4];

__global__ void write_constant_kernel() {
  table[threadIdx.x] = 1;  // @write_constant
}
__global__ void past_constant_kernel(int* out, int i) {
  *out = table[i];  // @past_constant
}

__global__ void divergent_kernel(int* out) {
  if (threadIdx.x < 16) {
    __syncthreads();  // @first_barrier
  } else {
    __syncthreads();  // @second_barrier
  }
  *out = 1;
}

__global__ void missing_lanes_kernel(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 0);
  } else {
    __syncthreads();
  }
}

template <bool fenced>
__global__ void last_block_kernel(const int* in, int* partial, unsigned* counter, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];  // @partial_store
    if (fenced) __threadfence();
    is_last = atomicAdd(counter, 1u) == gridDim.x - 1;
    if (fenced) __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += partial[i];  // @partial_load
    *out = sum;
  }
}

__global__ void memcpy_kernel(const int* in, int* out) {
  std::memcpy(out + 4 * threadIdx.x, in + 4 * threadIdx.x, 4 * sizeof(int));
}

__device__ int counter_variable;
__device__ int shared_by_all[2] = {1, 2};
__global__ void variable_kernel(int* out) {
  if (threadIdx.x == 0) counter_variable = shared_by_all[1];
  __syncthreads();
  out[threadIdx.x] = counter_variable;
}

__device__ float box[1000];
__global__ void box_kernel(int* out, int index) {
  if (threadIdx.x == 31) box[index] = 2;  // @outside_of_box
  out[threadIdx.x] = static_cast<int>(box[threadIdx.x]);
}

}  // namespace

void missing_barrier(const int* in, int* out) { shift_kernel<false, true><<<1, 64>>>(in, out); }
void missing_second_barrier(const int* in, int* out) {
  shift_kernel<true, false><<<1, 64>>>(in, out);
}
void barrier_kept(const int* in, int* out) { shift_kernel<true, true><<<3, 64>>>(in, out); }
void same_slot(int* out) { same_slot_kernel<<<1, 64>>>(out); }
void same_flag(int* out) { same_flag_kernel<<<2, 64>>>(out); }
void same_flag_shared(int* out) { same_flag_shared_kernel<<<1, 64>>>(out); }
void all_read_one_writes(int* out) { all_read_one_writes_kernel<<<1, 64>>>(out); }
void read_long_before(int* slot, const int* in, int* out) {
  read_long_before_kernel<<<1, 32>>>(slot, in, out);
}
void last_block_writes(int* slot, int* out) { last_block_writes_kernel<<<3, 1>>>(slot, out); }
void neighbor_bytes(char* out) { neighbor_bytes_kernel<<<1, 64>>>(out); }
void blocks_collide(int* out) { collide_kernel<<<2, 32>>>(out); }
void blocks_read_each_other(int* data) { read_each_other_kernel<<<3, 32>>>(data); }
void unsafe_sum(int* sum) { unsafe_sum_kernel<<<1, 32>>>(sum); }
void atomic_sum(int* sum) { atomic_sum_kernel<<<4, 64>>>(sum); }
void atomic_and_plain(int* sum, int* out) { atomic_and_plain_kernel<<<1, 64>>>(sum, out); }
void warp_exchange(int* out, bool synchronized) {
  if (synchronized) {
    warp_exchange_kernel<true><<<1, 64>>>(out);
  } else {
    warp_exchange_kernel<false><<<1, 64>>>(out);
  }
}
void warp_exchange_by_shuffle(int* out) { shuffle_exchange_kernel<<<1, 32>>>(out); }
void half_warps(int* out) { half_warps_kernel<<<1, 32>>>(out); }
void read_unwritten(const int* in, int* out) { copy_kernel<<<1, 32>>>(in, out); }
void read_unwritten_shared(int* out) { unwritten_shared_kernel<<<1, 32>>>(out); }
void read_after_write(int* scratch, int* out) { write_then_read_kernel<<<1, 32>>>(scratch, out); }
void past_the_end(int* out, int n) { store_kernel<<<(n + 31) / 32, 32>>>(out, 0); }
void past_own_array(int n) {
  int *first = nullptr, *second = nullptr;
  cudaMalloc(&first, 400);
  cudaMalloc(&second, n * sizeof(int));
  past_the_end(second, n);
  cudaFree(second);
  cudaFree(first);
}
void past_unnamed_array(int n) {
  int* arrays[2] = {};
  cudaMalloc(arrays, 400);
  cudaMalloc(arrays + 1, n * sizeof(int));
  past_the_end(arrays[1], n);
  for (int* array : arrays) cudaFree(array);
}
void before_the_begin(int* out) { store_kernel<<<1, 32>>>(out, -3); }
void unsigned_below_zero(int* out) { store_unsigned_kernel<<<1, 1>>>(out, 3u); }
void past_shared(int* out, int i) { past_shared_kernel<<<1, 1>>>(out, i); }
void past_dynamic(int* out, int i) { past_dynamic_kernel<<<1, 1, 32>>>(out, i); }
void misaligned_vector(const int* in, int* out) { misaligned_kernel<<<1, 1>>>(in, out); }
void misaligned_shared(int* out, int i) { misaligned_shared_kernel<<<1, 1>>>(out, i); }
void use_freed(int* out) {
  cudaFree(out);
  write_one<<<1, 1>>>(out);
}
void write_host_memory(int* host) { write_one<<<1, 1>>>(host); }
void read_host_heap(const int* host, int* out) { read_one<<<1, 1>>>(host, out); }
void write_null() { write_one<<<1, 1>>>(nullptr); }
void write_constant() { write_constant_kernel<<<1, 1>>>(); }
void past_constant(int* out, int i) { past_constant_kernel<<<1, 1>>>(out, i); }
void diverge_at_barrier(int* out) { divergent_kernel<<<1, 32>>>(out); }
void forget_lanes(int* out) { missing_lanes_kernel<<<1, 32>>>(out); }
void too_many_threads(int* out) { write_one<<<1, 2048>>>(out); }
void leak() {
  int* forgotten = nullptr;
  cudaMalloc(&forgotten, 400);
  int* freed = nullptr;
  cudaMalloc(&freed, 400);
  cudaFree(freed);
}
void last_block_sums(const int* in, int* partial, unsigned* counter, int* out, bool fenced) {
  if (fenced) {
    last_block_kernel<true><<<4, 32>>>(in, partial, counter, out);
  } else {
    last_block_kernel<false><<<4, 32>>>(in, partial, counter, out);
  }
}
void copy_by_memcpy(const int* in, int* out) { memcpy_kernel<<<1, 8>>>(in, out); }
void device_variable(int* out) { variable_kernel<<<1, 64>>>(out); }
void store_in_box(int* out, int index) { box_kernel<<<1, 32>>>(out, index); }
void grid_order(int* data) {
  store_kernel<<<2, 32>>>(data, 0);
  store_kernel<<<2, 32>>>(data, 0);
}

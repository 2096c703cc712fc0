// Order by fences: locks, flags, and what compare-and-swap needs none for.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr int grid = 4;
constexpr int n = grid * block;

// The Programming Guide's atomicAdd() for types that have none: a plain read, then swaps until no
// other thread was faster.
namespace add_by_compare_and_swap {
__device__ double add(double* address, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void kernel(const int* in, double* sum) {
  add(sum, in[blockIdx.x * block + threadIdx.x]);
}
void run() {
  const Array<int> in(ascending(n));
  const Array<double> sum(1, 0.0);
  kernel<<<grid, block>>>(in, sum);
  finish();
}
}  // namespace add_by_compare_and_swap
DETECTOR_CASE(add_by_compare_and_swap, none);

namespace shared_maximum_by_compare_and_swap {
__global__ void kernel(const int* in, int* out) {
  __shared__ int largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const int value = in[threadIdx.x];
  int old;
  do {
    old = largest;
  } while (atomicCAS(&largest, old, old < value ? value : old) != old);
  __syncthreads();
  out[threadIdx.x] = largest;
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace shared_maximum_by_compare_and_swap
DETECTOR_CASE(shared_maximum_by_compare_and_swap, none);

// The read decides, and nothing compares it again.
namespace read_then_atomic_add {
__global__ void kernel(int* sum) {
  if (*sum < 1000) {    // A
    atomicAdd(sum, 1);  // B
  }
}
void run() {
  const Array<int> sum(1, 0);
  kernel<<<grid, block>>>(sum);
  finish();
}
}  // namespace read_then_atomic_add
DETECTOR_CASE(read_then_atomic_add, global_race);

// A swap of one place says nothing about a read of another.
namespace read_beside_compare_and_swap {
__global__ void kernel(int* data) {
  atomicCAS(&data[0], 0, static_cast<int>(threadIdx.x));  // A
  if (threadIdx.x == 40) data[2] = data[0];               // B
  atomicCAS(&data[1], 0, 1);
}
void run() {
  const Array<int> data(3, 0);
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace read_beside_compare_and_swap
DETECTOR_CASE(read_beside_compare_and_swap, global_race);

// One lane of each warp takes a lock of the block.
namespace shared_counter_under_a_lock {
__global__ void kernel(int* out) {
  __shared__ int lock, counter;
  if (threadIdx.x == 0) lock = counter = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    counter += 1;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = counter;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace shared_counter_under_a_lock
DETECTOR_CASE(shared_counter_under_a_lock, none);

namespace shared_counter_under_a_lock_without_fences {
__global__ void kernel(int* out) {
  __shared__ int lock, counter;
  if (threadIdx.x == 0) lock = counter = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    counter += 1;  // A B
    atomicExch(&lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = counter;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace shared_counter_under_a_lock_without_fences
DETECTOR_CASE(shared_counter_under_a_lock_without_fences, shared_race);

// The fence comes before the store that it should publish.
namespace fence_before_the_store {
__global__ void kernel(int* out) {
  __shared__ int lock, counter;
  if (threadIdx.x == 0) lock = counter = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    counter += 1;  // A B
    atomicExch(&lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = counter;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace fence_before_the_store
DETECTOR_CASE(fence_before_the_store, shared_race);

// Every thread takes the lock in turn, also those of one warp.
namespace lock_for_every_thread {
__global__ void kernel(int* lock, int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *counter += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
void run() {
  const Array<int> lock(1, 0);
  const Array<int> counter(1, 0);
  kernel<<<grid, block>>>(lock, counter);
  finish();
}
}  // namespace lock_for_every_thread
DETECTOR_CASE(lock_for_every_thread, none);

// Only the first lane locks and unlocks. __syncwarp() makes the lock the warp's.
namespace lock_for_a_warp {
__global__ void kernel(int* lock, int* data) {
  const int lane = threadIdx.x % 32;
  if (lane == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
  }
  __syncwarp();
  __threadfence();
  data[lane] += 1;
  __threadfence();
  __syncwarp();
  if (lane == 0) atomicExch(lock, 0);
}
void run() {
  const Array<int> lock(1, 0);
  const Array<int> data(32, 0);
  kernel<<<grid, block>>>(lock, data);
  finish();
}
}  // namespace lock_for_a_warp
DETECTOR_CASE(lock_for_a_warp, none);

// Other threads of the block go to the data without the lock.
namespace lock_that_some_ignore {
__global__ void kernel(int* lock, int* counter) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *counter += 1;  // A
    __threadfence();
    atomicExch(lock, 0);
  }
  if (threadIdx.x == 32) *counter = 7;  // B
}
void run() {
  const Array<int> lock(1, 0);
  const Array<int> counter(1, 0);
  kernel<<<1, block>>>(lock, counter);
  finish();
}
}  // namespace lock_that_some_ignore
DETECTOR_CASE(lock_that_some_ignore, global_race);

// One warp fills the tile and raises a flag for the other.
namespace flag_between_warps {
__global__ void kernel(int* out) {
  __shared__ int value;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 5;
    __threadfence_block();
    flag = 1;
  }
  if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[0] = value;
  }
}
void run() {
  const Array<int> out(1);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace flag_between_warps
DETECTOR_CASE(flag_between_warps, none);

// The flag is raised without a fence, so it may be seen before the value.
namespace flag_between_warps_without_fence {
__global__ void kernel(int* out) {
  __shared__ int value;
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 5;  // A
    atomicExch(&flag, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    out[0] = value;  // B
  }
}
void run() {
  const Array<int> out(1);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace flag_between_warps_without_fence
DETECTOR_CASE(flag_between_warps_without_fence, shared_race);

// Each block adds to what the block before it has found, as a single-pass scan does.
namespace sum_of_the_blocks_before {
__global__ void kernel(const int* in, int* sums, volatile int* ready, int* out) {
  __shared__ int before;
  const int b = blockIdx.x;
  if (threadIdx.x == 0) {
    before = 0;
    if (b > 0) {
      while (ready[b - 1] == 0) {
      }
      __threadfence();
      before = sums[b - 1];
    }
    sums[b] = before + in[b];
    __threadfence();
    ready[b] = 1;
  }
  __syncthreads();
  out[b * block + threadIdx.x] = before;
}
void run() {
  const Array<int> in(ascending(grid));
  const Array<int> sums(grid);
  const Array<int> ready(grid, 0);
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, sums, ready, out);
  finish();
}
}  // namespace sum_of_the_blocks_before
DETECTOR_CASE(sum_of_the_blocks_before, none);

namespace sum_of_the_blocks_before_without_fence {
__global__ void kernel(const int* in, int* sums, int* ready, int* out) {
  const int b = blockIdx.x;
  if (threadIdx.x != 0) return;
  int before = 0;
  if (b > 0) {
    while (atomicAdd(&ready[b - 1], 0) == 0) {
    }
    before = sums[b - 1];  // B
  }
  sums[b] = before + in[b];  // A
  atomicExch(&ready[b], 1);
  out[b] = before;
}
void run() {
  const Array<int> in(ascending(grid));
  const Array<int> sums(grid);
  const Array<int> ready(grid, 0);
  const Array<int> out(grid);
  kernel<<<grid, block>>>(in, sums, ready, out);
  finish();
}
}  // namespace sum_of_the_blocks_before_without_fence
DETECTOR_CASE(sum_of_the_blocks_before_without_fence, global_race);

// A fence of the block does not order what other blocks see.
namespace fence_of_the_block_between_blocks {
__global__ void kernel(const int* in, int* partial, unsigned* finished, int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = in[blockIdx.x];  // A
  __threadfence_block();
  if (atomicAdd(finished, 1u) != gridDim.x - 1) return;
  int total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];  // B
  *out = total;
}
void run() {
  const Array<int> in(ascending(grid));
  const Array<int> partial(grid);
  const Array<unsigned> finished(1, 0u);
  const Array<int> out(1);
  kernel<<<grid, block>>>(in, partial, finished, out);
  finish();
}
}  // namespace fence_of_the_block_between_blocks
DETECTOR_CASE(fence_of_the_block_between_blocks, global_race);

// Volatile makes each access happen, but orders no others: nothing says that it is a flag.
namespace volatile_for_a_barrier {
__global__ void kernel(int* out) {
  __shared__ volatile int tile[block];
  const int i = threadIdx.x;
  tile[i] = i;                   // A
  out[i] = tile[block - 1 - i];  // B
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace volatile_for_a_barrier
DETECTOR_CASE(volatile_for_a_barrier, shared_race);

}  // namespace

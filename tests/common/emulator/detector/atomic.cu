// Atomic functions, plain accesses, and both at one place.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr int grid = 4;
constexpr int n = grid * block;
constexpr int bins = 8;

// All threads add one, and some additions get lost.
namespace plain_counter {
__global__ void kernel(int* counter) { *counter += 1; }  // A B
void run() {
  const Array<int> counter(1, 0);
  kernel<<<grid, block>>>(counter);
  finish();
}
}  // namespace plain_counter
DETECTOR_CASE(plain_counter, global_race);

namespace atomic_counter {
__global__ void kernel(int* counter) { atomicAdd(counter, 1); }
void run() {
  const Array<int> counter(1, 0);
  kernel<<<grid, block>>>(counter);
  finish();
}
}  // namespace atomic_counter
DETECTOR_CASE(atomic_counter, none);

namespace plain_shared_counter {
__global__ void kernel(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  counter += 1;  // A B
  __syncthreads();
  out[threadIdx.x] = counter;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace plain_shared_counter
DETECTOR_CASE(plain_shared_counter, shared_race);

namespace atomic_shared_counter {
__global__ void kernel(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  atomicAdd(&counter, 1);
  __syncthreads();
  out[threadIdx.x] = counter;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace atomic_shared_counter
DETECTOR_CASE(atomic_shared_counter, none);

// The counter is read while others may still add to it.
namespace atomic_counter_read_too_early {
__global__ void kernel(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  atomicAdd(&counter, 1);      // A
  out[threadIdx.x] = counter;  // B
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace atomic_counter_read_too_early
DETECTOR_CASE(atomic_counter_read_too_early, shared_race);

// The counter is set to 0 by one thread while others may already add to it.
namespace atomic_counter_reset_too_late {
__global__ void kernel(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;  // A
  atomicAdd(&counter, 1);             // B
  __syncthreads();
  out[threadIdx.x] = counter;
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace atomic_counter_reset_too_late
DETECTOR_CASE(atomic_counter_reset_too_late, shared_race);

// Blocks add atomically to what one of them reads plainly.
namespace atomic_total_read_by_a_block {
__global__ void kernel(int* total, int* out) {
  if (threadIdx.x == 0) atomicAdd(total, 1);                 // A
  if (blockIdx.x == 1 && threadIdx.x == 1) out[0] = *total;  // B
}
void run() {
  const Array<int> total(1, 0);
  const Array<int> out(1);
  kernel<<<grid, block>>>(total, out);
  finish();
}
}  // namespace atomic_total_read_by_a_block
DETECTOR_CASE(atomic_total_read_by_a_block, global_race);

// The next launch reads what all blocks added.
namespace atomic_total_read_by_the_next_launch {
__global__ void add(int* total) { atomicAdd(total, 1); }
__global__ void read(const int* total, int* out) { out[threadIdx.x] = *total; }
void run() {
  const Array<int> total(1, 0);
  const Array<int> out(block);
  add<<<grid, block>>>(total);
  read<<<1, block>>>(total, out);
  finish();
}
}  // namespace atomic_total_read_by_the_next_launch
DETECTOR_CASE(atomic_total_read_by_the_next_launch, none);

// Values that share a bin lose counts.
namespace plain_histogram {
__global__ void kernel(const int* in, int* histogram) {
  histogram[in[blockIdx.x * block + threadIdx.x] % bins] += 1;  // A B
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> histogram(bins, 0);
  kernel<<<grid, block>>>(in, histogram);
  finish();
}
}  // namespace plain_histogram
DETECTOR_CASE(plain_histogram, global_race);

namespace atomic_histogram {
__global__ void kernel(const int* in, int* histogram) {
  atomicAdd(&histogram[in[blockIdx.x * block + threadIdx.x] % bins], 1);
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> histogram(bins, 0);
  kernel<<<grid, block>>>(in, histogram);
  finish();
}
}  // namespace atomic_histogram
DETECTOR_CASE(atomic_histogram, none);

// A histogram per block, plainly counted.
namespace plain_shared_histogram {
__global__ void kernel(const int* in, int* histogram) {
  __shared__ int counts[bins];
  if (threadIdx.x < bins) counts[threadIdx.x] = 0;
  __syncthreads();
  counts[in[blockIdx.x * block + threadIdx.x] % bins] += 1;  // A B
  __syncthreads();
  if (threadIdx.x < bins) atomicAdd(&histogram[threadIdx.x], counts[threadIdx.x]);
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> histogram(bins, 0);
  kernel<<<grid, block>>>(in, histogram);
  finish();
}
}  // namespace plain_shared_histogram
DETECTOR_CASE(plain_shared_histogram, shared_race);

// A histogram per block, added up by all blocks.
namespace atomic_shared_histogram {
__global__ void kernel(const int* in, int* histogram) {
  __shared__ int counts[bins];
  if (threadIdx.x < bins) counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[in[blockIdx.x * block + threadIdx.x] % bins], 1);
  __syncthreads();
  if (threadIdx.x < bins) atomicAdd(&histogram[threadIdx.x], counts[threadIdx.x]);
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> histogram(bins, 0);
  kernel<<<grid, block>>>(in, histogram);
  finish();
}
}  // namespace atomic_shared_histogram
DETECTOR_CASE(atomic_shared_histogram, none);

// Compares, then stores: this may overwrite another thread's larger value.
namespace largest_by_look_and_store {
__global__ void kernel(const int* in, int* largest) {
  const int value = in[blockIdx.x * block + threadIdx.x];
  if (value > *largest) *largest = value;  // A B
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> largest(1, 0);
  kernel<<<grid, block>>>(in, largest);
  finish();
}
}  // namespace largest_by_look_and_store
DETECTOR_CASE(largest_by_look_and_store, global_race);

namespace largest_by_atomic_max {
__global__ void kernel(const int* in, int* largest) {
  atomicMax(largest, in[blockIdx.x * block + threadIdx.x]);
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> largest(1, 0);
  kernel<<<grid, block>>>(in, largest);
  finish();
}
}  // namespace largest_by_atomic_max
DETECTOR_CASE(largest_by_atomic_max, none);

// The counter gives each thread its own slot.
namespace slot_from_an_atomic_counter {
__global__ void kernel(int* counter, int* slots) {
  const int slot = atomicAdd(counter, 1);
  slots[slot] = blockIdx.x * block + threadIdx.x;
}
void run() {
  const Array<int> counter(1, 0);
  const Array<int> slots(n);
  kernel<<<grid, block>>>(counter, slots);
  finish();
}
}  // namespace slot_from_an_atomic_counter
DETECTOR_CASE(slot_from_an_atomic_counter, none);

// Threads store plainly where others swap atomically.
namespace plain_store_beside_atomic_exchange {
__global__ void kernel(int* place) {
  if (blockIdx.x == 0) {
    *place = -1;  // A
  } else {
    atomicExch(place, static_cast<int>(blockIdx.x));  // B
  }
}
void run() {
  const Array<int> place(1, 0);
  kernel<<<2, 1>>>(place);
  finish();
}
}  // namespace plain_store_beside_atomic_exchange
DETECTOR_CASE(plain_store_beside_atomic_exchange, global_race);

// Threads of a block read the total plainly after the barrier, while other blocks may still add.
namespace atomic_total_read_after_own_barrier {
__global__ void kernel(int* total, int* out) {
  atomicAdd(total, 1);  // A
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = *total;  // B
}
void run() {
  const Array<int> total(1, 0);
  const Array<int> out(grid);
  kernel<<<grid, block>>>(total, out);
  finish();
}
}  // namespace atomic_total_read_after_own_barrier
DETECTOR_CASE(atomic_total_read_after_own_barrier, global_race);

// The block that is last to finish adds up what all have stored: ordered by a fence and a counter.
namespace last_block_adds_up {
__global__ void kernel(const int* in, int* partial, unsigned* finished, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];  // A
    __threadfence();
    is_last = atomicAdd(finished, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
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
}  // namespace last_block_adds_up
DEBATABLE_CASE(
    last_block_adds_up, none,
    "right, because a fence and an atomic counter order the blocks; a detector that only knows "
    "barriers sees a data race of A and B, and should say that it does not model fences");

// The same without the fence: the counter may arrive before the partial sum.
namespace last_block_adds_up_without_fence {
__global__ void kernel(const int* in, int* partial, unsigned* finished, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];  // A
    is_last = atomicAdd(finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
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
}  // namespace last_block_adds_up_without_fence
DETECTOR_CASE(last_block_adds_up_without_fence, global_race);

// One thread per block takes a lock, adds plainly, and releases the lock.
namespace plain_counter_under_a_lock {
__global__ void kernel(int* lock, int* counter) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile int* current = counter;
  *current = *current + 1;  // A B
  __threadfence();
  atomicExch(lock, 0);
}
void run() {
  const Array<int> lock(1, 0);
  const Array<int> counter(1, 0);
  kernel<<<grid, block>>>(lock, counter);
  finish();
}
}  // namespace plain_counter_under_a_lock
DEBATABLE_CASE(plain_counter_under_a_lock, none,
               "right, because lock and fences order the blocks; a detector without locks sees a "
               "data race of A and B");

}  // namespace

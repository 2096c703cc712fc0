// Latches and semaphores: what they order, and in which scope.

#include <cuda/latch>
#include <cuda/semaphore>
#include <new>

#include "cases.h"

namespace {

using tilelab::detector::finish;

constexpr int block = 64;
constexpr int half = block / 2;

using Latch = cuda::latch<cuda::thread_scope_block>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block>;
using Lock = cuda::binary_semaphore<cuda::thread_scope_block>;

void launch(void (*kernel)(int* out)) {
  const Array<int> out(block, 0);
  kernel<<<1, block>>>(out);
  finish();
}

// Half of the block fills a tile and counts down, the other half waits and reads.
namespace latch_of_all_writers {
__global__ void kernel(int* out) {
  __shared__ alignas(Latch) unsigned char place[sizeof(Latch)];
  __shared__ int tile[half];
  auto* const latch = reinterpret_cast<Latch*>(place);
  if (threadIdx.x == 0) new (latch) Latch(half);
  __syncthreads();
  const unsigned i = threadIdx.x % half;
  if (threadIdx.x < half) {
    tile[i] = i;
    latch->count_down();
  } else {
    latch->wait();
    out[i] = tile[half - 1 - i];
  }
}
void run() { launch(kernel); }
}  // namespace latch_of_all_writers
DETECTOR_CASE(latch_of_all_writers, none);

namespace latch_of_some_writers {
__global__ void kernel(int* out) {
  __shared__ alignas(Latch) unsigned char place[sizeof(Latch)];
  __shared__ int tile[half];
  auto* const latch = reinterpret_cast<Latch*>(place);
  if (threadIdx.x == 0) new (latch) Latch(half / 2);
  __syncthreads();
  const unsigned i = threadIdx.x % half;
  if (threadIdx.x < half) {
    tile[i] = i;  // A
    if (i < half / 2) latch->count_down();
  } else {
    latch->wait();
    out[i] = tile[half - 1 - i];  // B
  }
}
void run() { launch(kernel); }
}  // namespace latch_of_some_writers
DETECTOR_CASE(latch_of_some_writers, shared_race);

// All meet at the latch, and nobody counts down more than once.
namespace latch_as_a_barrier {
__global__ void kernel(int* out) {
  __shared__ alignas(Latch) unsigned char place[sizeof(Latch)];
  __shared__ int tile[block];
  auto* const latch = reinterpret_cast<Latch*>(place);
  if (threadIdx.x == 0) new (latch) Latch(block);
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;
  latch->arrive_and_wait();
  out[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
void run() { launch(kernel); }
}  // namespace latch_as_a_barrier
DETECTOR_CASE(latch_as_a_barrier, none);

namespace semaphore_as_a_lock {
__global__ void kernel(int* out) {
  __shared__ Lock semaphore;
  __shared__ int sum;
  if (threadIdx.x == 0) {
    sum = 0;
    new (&semaphore) Lock(1);
  }
  __syncthreads();
  semaphore.acquire();
  sum += 1;
  semaphore.release();
  __syncthreads();
  out[threadIdx.x] = sum;
}
void run() { launch(kernel); }
}  // namespace semaphore_as_a_lock
DETECTOR_CASE(semaphore_as_a_lock, none);

// One warp produces, the other consumes.
namespace permits_for_what_is_written {
__global__ void kernel(int* out) {
  __shared__ Semaphore filled;
  __shared__ int slot;
  if (threadIdx.x == 0) new (&filled) Semaphore;
  __syncthreads();
  if (threadIdx.x == 0) {
    slot = 5;
    filled.release();
  }
  if (threadIdx.x == half) {
    filled.acquire();
    out[0] = slot;
  }
}
void run() { launch(kernel); }
}  // namespace permits_for_what_is_written
DETECTOR_CASE(permits_for_what_is_written, none);

namespace permit_before_the_write {
__global__ void kernel(int* out) {
  __shared__ Semaphore filled;
  __shared__ int slot;
  if (threadIdx.x == 0) new (&filled) Semaphore;
  __syncthreads();
  if (threadIdx.x == 0) {
    filled.release();
    slot = 5;  // A
  }
  if (threadIdx.x == half) {
    while (!filled.try_acquire()) {
    }
    out[0] = slot;  // B
  }
}
void run() { launch(kernel); }
}  // namespace permit_before_the_write
DETECTOR_CASE(permit_before_the_write, shared_race);

/// Blocks that add one under a lock of this scope.
template <cuda::thread_scope scope>
struct Counter {
  cuda::binary_semaphore<scope> semaphore{1};
  int sum = 0;
};

template <cuda::thread_scope scope>
__global__ void prepare(Counter<scope>* counter) {
  new (counter) Counter<scope>;
}

namespace semaphore_of_the_device {
using Shared = Counter<cuda::thread_scope_device>;
__global__ void kernel(Shared* counter) {
  counter->semaphore.acquire();
  counter->sum += 1;
  counter->semaphore.release();
}
void run() {
  const Array<Shared> counter(1);
  prepare<<<1, 1>>>(static_cast<Shared*>(counter));
  kernel<<<4, 1>>>(counter);
  finish();
}
}  // namespace semaphore_of_the_device
DETECTOR_CASE(semaphore_of_the_device, none);

namespace semaphore_of_a_block_between_blocks {
using Shared = Counter<cuda::thread_scope_block>;
__global__ void kernel(Shared* counter) {
  counter->semaphore.acquire(), counter->sum += 1, counter->semaphore.release();  // A B
}
void run() {
  const Array<Shared> counter(1);
  prepare<<<1, 1>>>(static_cast<Shared*>(counter));
  kernel<<<4, 1>>>(counter);
  finish();
}
}  // namespace semaphore_of_a_block_between_blocks
DETECTOR_CASE(semaphore_of_a_block_between_blocks, global_race);

}  // namespace

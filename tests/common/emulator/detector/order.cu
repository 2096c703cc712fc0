// Order between blocks and between warps: who releases what, who acquires it, and for whom. A fence
// counts if its thread writes the flag after it, or has read the flag before it.

#include <cuda/atomic>

#include "signals.h"

namespace {

using namespace tilelab::detector;

constexpr unsigned all_lanes = 0xffffffff;

// -------------------------------------------------------------------------- a flag of two blocks

namespace flag_between_blocks {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* flag = flags;
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_between_blocks
DETECTOR_CASE(flag_between_blocks, none);

namespace exchanged_flag_without_release {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    raise_flag(flags);
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace exchanged_flag_without_release
DETECTOR_CASE(exchanged_flag_without_release, global_race);

namespace flag_between_blocks_without_acquire {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* flag = flags;
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_between_blocks_without_acquire
DETECTOR_CASE(flag_between_blocks_without_acquire, global_race);

namespace fence_after_the_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    raise_flag(flags);
    __threadfence();
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace fence_after_the_flag
DETECTOR_CASE(fence_after_the_flag, global_race);

namespace fence_before_the_wait {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    __threadfence();
    raise_flag(flags);
  } else {
    __threadfence();
    wait_for(flags);
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace fence_before_the_wait
DETECTOR_CASE(fence_before_the_wait, global_race);

namespace store_after_the_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    raise_flag(flags);
    data[1] = 6;            // A
    __threadfence_block();  // so that no compiler joins it with the last store of the others
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = data[0];
    out[1] = data[1];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace store_after_the_flag
DETECTOR_CASE(store_after_the_flag, global_race);

namespace fence_store_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    __threadfence();
    data[0] = 5;  // A
    raise_flag(flags);
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace fence_store_flag
DETECTOR_CASE(fence_store_flag, global_race);

namespace flag_polled_by_adding_zero {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    raise_flag(flags);
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_polled_by_adding_zero
DETECTOR_CASE(flag_polled_by_adding_zero, none);

// A flag needs strong accesses on both sides.
namespace flag_stored_plainly {
__global__ void kernel(int*, int* flags, int* out) {
  if (blockIdx.x == 0) {
    flags[0] = 1;           // A
    __threadfence_block();  // as above
  } else {
    while (atomicAdd(flags, 0) == 0) {  // B
    }
    out[0] = 1;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_stored_plainly
DETECTOR_CASE(flag_stored_plainly, global_race);

// One flag goes up before the data is stored, one after.
namespace flag_of_the_data_before {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    __threadfence();
    raise_flag(&flags[0]);
    data[0] = 5;  // A
    __threadfence();
    raise_flag(&flags[1]);
  } else {
    wait_for(&flags[0]);
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_of_the_data_before
DETECTOR_CASE(flag_of_the_data_before, global_race);

namespace flag_of_the_data {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    __threadfence();
    raise_flag(&flags[0]);
    data[0] = 5;
    __threadfence();
    raise_flag(&flags[1]);
  } else {
    wait_for(&flags[1]);
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_of_the_data
DETECTOR_CASE(flag_of_the_data, none);

namespace two_producers_one_awaited {
__global__ void kernel(int* data, int* flags, int* out) {
  const int b = blockIdx.x;
  if (b < 2) {
    data[b] = b + 5;  // A
    __threadfence();
    raise_flag(&flags[b]);
  } else {
    wait_for(&flags[0]);
    __threadfence();
    out[0] = data[0] + data[1];  // B
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace two_producers_one_awaited
DETECTOR_CASE(two_producers_one_awaited, global_race);

namespace two_producers_both_awaited {
__global__ void kernel(int* data, int* flags, int* out) {
  const int b = blockIdx.x;
  if (b < 2) {
    data[b] = b + 5;
    __threadfence();
    raise_flag(&flags[b]);
  } else {
    wait_for(&flags[0]);
    wait_for(&flags[1]);
    __threadfence();
    out[0] = data[0] + data[1];
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace two_producers_both_awaited
DETECTOR_CASE(two_producers_both_awaited, none);

// The fence is good for every later write of the thread.
namespace flag_raised_twice {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* flag = flags;
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    *flag = 1;
    *flag = 2;
  } else {
    while (*flag != 2) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_raised_twice
DETECTOR_CASE(flag_raised_twice, none);

// A read is released too.
namespace read_before_the_overwrite {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    wait_for(flags);
    __threadfence();
    data[0] = 6;
  } else {
    out[0] = data[0];
    __threadfence();
    raise_flag(flags);
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace read_before_the_overwrite
DETECTOR_CASE(read_before_the_overwrite, none);

namespace read_not_fenced_before_the_overwrite {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    wait_for(flags);
    __threadfence();
    data[0] = 6;  // A
  } else {
    out[0] = data[0];  // B
    raise_flag(flags);
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace read_not_fenced_before_the_overwrite
DETECTOR_CASE(read_not_fenced_before_the_overwrite, global_race);

// ----------------------------------------------------------------------------------------- scopes

namespace block_fence_of_the_reader {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    __threadfence();
    raise_flag(flags);
  } else {
    wait_for(flags);
    __threadfence_block();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace block_fence_of_the_reader
DETECTOR_CASE(block_fence_of_the_reader, global_race);

namespace fence_of_the_system {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence_system();
    raise_flag(flags);
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace fence_of_the_system
DETECTOR_CASE(fence_of_the_system, none);

namespace block_fence_within_the_block {
__global__ void kernel(int* data, int* flags, int* out) {
  if (threadIdx.x == 0) {
    data[0] = 5;
    __threadfence_block();
    raise_flag(flags);
  } else if (threadIdx.x == 32) {
    wait_for(flags);
    __threadfence_block();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 1, block); }
}  // namespace block_fence_within_the_block
DETECTOR_CASE(block_fence_within_the_block, none);

namespace exchange_of_the_block_between_blocks {
__global__ void kernel(int*, int* flags, int* out) {
  if (blockIdx.x == 0) {
    atomicExch_block(flags, 1);  // A
  } else {
    while (atomicAdd(flags, 0) == 0) {  // B
    }
    out[0] = 1;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace exchange_of_the_block_between_blocks
DETECTOR_CASE(exchange_of_the_block_between_blocks, global_race);

namespace exchange_of_the_block_between_warps {
__global__ void kernel(int* data, int* flags, int* out) {
  if (threadIdx.x == 0) {
    data[0] = 5;
    __threadfence_block();
    atomicExch_block(flags, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(flags, 0) == 0) {
    }
    __threadfence_block();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 1, block); }
}  // namespace exchange_of_the_block_between_warps
DETECTOR_CASE(exchange_of_the_block_between_warps, none);

namespace block_counter_for_each_block {
__global__ void kernel(int* data, int*, int* out) {
  atomicAdd_block(&data[blockIdx.x], 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = data[blockIdx.x];
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace block_counter_for_each_block
DETECTOR_CASE(block_counter_for_each_block, none);

namespace block_counter_for_all_blocks {
__global__ void kernel(int* data, int*, int*) {
  atomicAdd_block(&data[0], 1);  // A B
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace block_counter_for_all_blocks
DETECTOR_CASE(block_counter_for_all_blocks, global_race);

// Both must see each other in their scope.
namespace one_block_counts_for_itself {
__global__ void kernel(int* data, int*, int*) {
  if (blockIdx.x == 0) {
    atomicAdd(&data[0], 1);  // A
  } else {
    atomicAdd_block(&data[0], 1);  // B
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace one_block_counts_for_itself
DETECTOR_CASE(one_block_counts_for_itself, global_race);

// A flag orders what the scope leaves open.
namespace block_counter_in_turns {
__global__ void kernel(int* data, int* flags, int*) {
  if (blockIdx.x == 0) {
    atomicAdd_block(&data[0], 1);
    __threadfence();
    raise_flag(flags);
  } else {
    wait_for(flags);
    __threadfence();
    atomicAdd_block(&data[0], 1);
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace block_counter_in_turns
DETECTOR_CASE(block_counter_in_turns, none);

// ------------------------------------------------------------------------ one thread for its block

namespace all_fence_and_one_signals {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0) raise_flag(flags);
  } else {
    if (t == 0) wait_for(flags);
    __syncthreads();
    __threadfence();
    out[t] = data[t];
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace all_fence_and_one_signals
DETECTOR_CASE(all_fence_and_one_signals, none);

namespace all_fence_before_they_store {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    __threadfence();
    data[t] = t;  // A
    __syncthreads();
    if (t == 0) raise_flag(flags);
  } else {
    if (t == 0) wait_for(flags);
    __syncthreads();
    __threadfence();
    out[t] = data[t];  // B
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace all_fence_before_they_store
DETECTOR_CASE(all_fence_before_they_store, global_race);

namespace all_fence_for_the_block {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;  // A
    __threadfence_block();
    __syncthreads();
    if (t == 0) raise_flag(flags);
  } else {
    if (t == 0) wait_for(flags);
    __syncthreads();
    __threadfence();
    out[t] = data[t];  // B
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace all_fence_for_the_block
DETECTOR_CASE(all_fence_for_the_block, global_race);

// What the barrier has ordered before the fence is released too.
namespace one_fences_for_the_block {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      raise_flag(flags);
    }
  } else {
    if (t == 0) {
      wait_for(flags);
      __threadfence();
    }
    __syncthreads();
    out[t] = data[t];
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace one_fences_for_the_block
DETECTOR_CASE(one_fences_for_the_block, none);

namespace one_fences_before_the_barrier {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;  // A
    if (t == 0) __threadfence();
    __syncthreads();
    if (t == 0) raise_flag(flags);
  } else {
    if (t == 0) {
      wait_for(flags);
      __threadfence();
    }
    __syncthreads();
    out[t] = data[t];  // B
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace one_fences_before_the_barrier
DETECTOR_CASE(one_fences_before_the_barrier, global_race);

namespace signal_without_a_barrier {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;  // A
    if (t == 0) {
      __threadfence();
      raise_flag(flags);
    }
  } else {
    if (t == 0) {
      wait_for(flags);
      __threadfence();
    }
    __syncthreads();
    out[t] = data[t];  // B
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace signal_without_a_barrier
DETECTOR_CASE(signal_without_a_barrier, global_race);

namespace wait_without_a_barrier {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;  // A
    __syncthreads();
    if (t == 0) {
      __threadfence();
      raise_flag(flags);
    }
  } else {
    if (t == 0) {
      wait_for(flags);
      __threadfence();
    }
    out[t] = data[t];  // B
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace wait_without_a_barrier
DETECTOR_CASE(wait_without_a_barrier, global_race);

// The barrier says nothing about other blocks.
namespace barrier_for_an_acquire {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;  // A
    __syncthreads();
    if (t == 0) {
      __threadfence();
      raise_flag(flags);
    }
  } else {
    if (t == 0) wait_for(flags);
    __syncthreads();
    out[t] = data[t];  // B
  }
}
void run() { launch(kernel, 2, block); }
}  // namespace barrier_for_an_acquire
DETECTOR_CASE(barrier_for_an_acquire, global_race);

// ----------------------------------------------------------------------- chains of several blocks

// The second block's addition passes on what the first has released.
namespace counter_passes_the_release_on {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    atomicAdd(flags, 1);
  } else if (blockIdx.x == 1) {
    atomicAdd(flags, 1);
  } else {
    while (atomicAdd(flags, 0) != 2) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace counter_passes_the_release_on
DETECTOR_CASE(counter_passes_the_release_on, none);

namespace counter_of_one_that_does_not_fence {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    atomicAdd(flags, 1);
  } else if (blockIdx.x == 1) {
    data[1] = 6;  // A
    atomicAdd(flags, 1);
  } else {
    while (atomicAdd(flags, 0) != 2) {
    }
    __threadfence();
    out[0] = data[0];
    out[1] = data[1];  // B
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace counter_of_one_that_does_not_fence
DETECTOR_CASE(counter_of_one_that_does_not_fence, global_race);

namespace exchange_keeps_the_chain {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* flag = flags;
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag != 1) {
    }
    atomicExch(flags, 2);
  } else {
    while (*flag != 2) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace exchange_keeps_the_chain
DETECTOR_CASE(exchange_keeps_the_chain, none);

namespace signal_handed_on {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    raise_flag(&flags[0]);
  } else if (blockIdx.x == 1) {
    wait_for(&flags[0]);
    __threadfence();
    raise_flag(&flags[1]);
  } else {
    wait_for(&flags[1]);
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace signal_handed_on
DETECTOR_CASE(signal_handed_on, none);

namespace signal_handed_on_without_fence {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    __threadfence();
    raise_flag(&flags[0]);
  } else if (blockIdx.x == 1) {
    wait_for(&flags[0]);
    raise_flag(&flags[1]);
  } else {
    wait_for(&flags[1]);
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace signal_handed_on_without_fence
DETECTOR_CASE(signal_handed_on_without_fence, global_race);

namespace signal_handed_on_with_a_block_fence {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    __threadfence();
    raise_flag(&flags[0]);
  } else if (blockIdx.x == 1) {
    wait_for(&flags[0]);
    __threadfence_block();
    raise_flag(&flags[1]);
  } else {
    wait_for(&flags[1]);
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace signal_handed_on_with_a_block_fence
DETECTOR_CASE(signal_handed_on_with_a_block_fence, global_race);

// ------------------------------------------------------------------------------------------ locks

namespace lock_released_by_a_volatile_store {
__global__ void kernel(int* data, int* flags, int*) {
  lock(flags);
  __threadfence();
  data[0] += 1;
  __threadfence();
  *static_cast<volatile int*>(flags) = 0;
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace lock_released_by_a_volatile_store
DETECTOR_CASE(lock_released_by_a_volatile_store, none);

namespace lock_taken_without_a_fence {
__global__ void kernel(int* data, int* flags, int*) {
  lock(flags);
  data[0] += 1;  // A B
  __threadfence();
  unlock(flags);
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace lock_taken_without_a_fence
DETECTOR_CASE(lock_taken_without_a_fence, global_race);

namespace lock_released_without_a_fence {
__global__ void kernel(int* data, int* flags, int*) {
  lock(flags);
  __threadfence();
  data[0] += 1;  // A B
  unlock(flags);
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace lock_released_without_a_fence
DETECTOR_CASE(lock_released_without_a_fence, global_race);

namespace lock_with_block_fences {
__global__ void kernel(int* data, int* flags, int*) {
  lock(flags);
  __threadfence_block();
  data[0] += 1;  // A B
  __threadfence_block();
  unlock(flags);
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace lock_with_block_fences
DETECTOR_CASE(lock_with_block_fences, global_race);

namespace store_after_unlocking {
__global__ void kernel(int* data, int* flags, int*) {
  lock(flags);
  __threadfence();
  data[0] += 1;
  __threadfence();
  unlock(flags);
  data[1] = blockIdx.x;  // A B
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace store_after_unlocking
DETECTOR_CASE(store_after_unlocking, global_race);

namespace two_locks_for_one_counter {
__global__ void kernel(int* data, int* flags, int*) {
  int* const word = &flags[blockIdx.x % 2];
  lock(word);
  __threadfence();
  data[0] += 1;  // A B
  __threadfence();
  unlock(word);
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace two_locks_for_one_counter
DETECTOR_CASE(two_locks_for_one_counter, global_race);

namespace lock_for_each_counter {
__global__ void kernel(int* data, int* flags, int*) {
  int* const word = &flags[blockIdx.x % 2];
  lock(word);
  __threadfence();
  data[blockIdx.x % 2] += 1;
  __threadfence();
  unlock(word);
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace lock_for_each_counter
DETECTOR_CASE(lock_for_each_counter, none);

namespace lock_for_a_block {
__global__ void kernel(int* data, int* flags, int*) {
  if (threadIdx.x == 0) {
    lock(flags);
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    unlock(flags);
  }
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace lock_for_a_block
DETECTOR_CASE(lock_for_a_block, none);

// The first thread lets the next block in before the others are done.
namespace lock_for_a_block_without_last_barrier {
__global__ void kernel(int* data, int* flags, int*) {
  if (threadIdx.x == 0) {
    lock(flags);
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1;  // A B
  if (threadIdx.x == 0) {
    __threadfence();
    unlock(flags);
  }
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace lock_for_a_block_without_last_barrier
DETECTOR_CASE(lock_for_a_block_without_last_barrier, global_race);

// ------------------------------------------------------------------------- reductions in one
// launch

// The Programming Guide's example: the sums are volatile, and the last block resets the counter.
namespace last_block_of_the_guide {
__global__ void kernel(volatile int* sums, unsigned* count, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += sums[b];
    *out = total;
    *count = 0;
  }
}
void run() {
  const Array<int> sums(most_blocks);
  const Array<unsigned> count(1, 0u);
  const Array<int> out(1);
  kernel<<<most_blocks, block>>>(sums, count, out);
  finish();
}
}  // namespace last_block_of_the_guide
DETECTOR_CASE(last_block_of_the_guide, none);

namespace last_block_counts_too_early {
__global__ void kernel(int* data, int* flags, int* out) {
  const bool is_last = atomicAdd(flags, 1) == most_blocks - 1;
  data[blockIdx.x] = blockIdx.x + 1;  // A
  __threadfence();
  if (!is_last) return;
  for (int b = 0; b < most_blocks; ++b) out[0] += data[b];  // B
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace last_block_counts_too_early
DETECTOR_CASE(last_block_counts_too_early, global_race);

namespace last_block_fences_too_early {
__global__ void kernel(int* data, int* flags, int* out) {
  __threadfence();
  data[blockIdx.x] = blockIdx.x + 1;  // A
  const bool is_last = atomicAdd(flags, 1) == most_blocks - 1;
  __threadfence();
  if (!is_last) return;
  for (int b = 0; b < most_blocks; ++b) out[0] += data[b];  // B
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace last_block_fences_too_early
DETECTOR_CASE(last_block_fences_too_early, global_race);

namespace last_block_reads_without_a_fence {
__global__ void kernel(int* data, int* flags, int* out) {
  data[blockIdx.x] = blockIdx.x + 1;  // A
  __threadfence();
  const bool is_last = atomicAdd(flags, 1) == most_blocks - 1;
  if (!is_last) return;
  for (int b = 0; b < most_blocks; ++b) out[0] += data[b];  // B
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace last_block_reads_without_a_fence
DETECTOR_CASE(last_block_reads_without_a_fence, global_race);

// Every thread stores and reads. The first one counts, and a vote tells the others.
namespace last_block_by_vote {
__global__ void kernel(int* data, int* flags, int* out) {
  const int t = threadIdx.x;
  data[blockIdx.x * block + t] = t;
  __syncthreads();
  bool is_last = false;
  if (t == 0) {
    __threadfence();
    is_last = atomicAdd(flags, 1) == most_blocks - 1;
    __threadfence();
  }
  if (!__syncthreads_or(is_last)) return;
  for (int b = 0; b < most_blocks; ++b) out[t] += data[b * block + t];
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace last_block_by_vote
DETECTOR_CASE(last_block_by_vote, none);

namespace last_warp_adds_up {
__global__ void kernel(int*, int*, int* out) {
  __shared__ int partial[4], arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  partial[threadIdx.x / 32] = threadIdx.x;
  __threadfence_block();
  if (atomicAdd(&arrived, 1) != 3) return;
  __threadfence_block();
  out[0] = partial[0] + partial[1] + partial[2] + partial[3];
}
void run() { launch(kernel, 1, 128); }
}  // namespace last_warp_adds_up
DETECTOR_CASE(last_warp_adds_up, none);

namespace last_warp_adds_up_without_acquire {
__global__ void kernel(int*, int*, int* out) {
  __shared__ int partial[4], arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  partial[threadIdx.x / 32] = threadIdx.x;  // A
  __threadfence_block();
  if (atomicAdd(&arrived, 1) != 3) return;
  out[0] = partial[0] + partial[1] + partial[2] + partial[3];  // B
}
void run() { launch(kernel, 1, 128); }
}  // namespace last_warp_adds_up_without_acquire
DETECTOR_CASE(last_warp_adds_up_without_acquire, shared_race);

// --------------------------------------------------------------------------- scans with look-back

namespace look_back_without_acquire {
__device__ void publish(int* sums, volatile int* states, int state, int sum) {
  sums[2 * blockIdx.x + state - 1] = sum;  // A
  __threadfence();
  states[blockIdx.x] = state;
}
__global__ void kernel(int* sums, int* flags, int* out) {
  volatile int* const states = flags;
  const int own = blockIdx.x + 1;
  publish(sums, states, 1, own);
  int before = 0;
  for (int b = static_cast<int>(blockIdx.x) - 1; b >= 0; --b) {
    int state;
    while ((state = states[b]) == 0) {
    }
    before += sums[2 * b + state - 1];  // B
    if (state == 2) break;
  }
  publish(sums, states, 2, before + own);
  out[blockIdx.x] = before;
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace look_back_without_acquire
DETECTOR_CASE(look_back_without_acquire, global_race);

// State and sum travel in one word, so there is nothing else to order.
namespace sum_in_the_word_of_the_state {
__global__ void kernel(unsigned long long* words, int* out) {
  const int b = blockIdx.x;
  unsigned long long word = 1ull << 32;
  if (b > 0) {
    while ((word = atomicAdd(&words[b - 1], 0ull)) == 0) {
    }
  }
  out[b] = static_cast<int>(word);
  atomicExch(&words[b], word + b + 1);
}
void run() {
  const Array<unsigned long long> words(most_blocks, 0ull);
  const Array<int> out(most_blocks);
  kernel<<<most_blocks, 1>>>(words, out);
  finish();
}
}  // namespace sum_in_the_word_of_the_state
DETECTOR_CASE(sum_in_the_word_of_the_state, none);

// ------------------------------------------------------------------------------ two blocks in
// turns

namespace exchanged_turns_answers_too_early {
__global__ void kernel(int* data, int* flags, int* out) {
  int* const turn = flags;
  for (int round = 0; round < 3; ++round) {
    while (atomicAdd(turn, 0) != static_cast<int>(blockIdx.x)) {
    }
    __threadfence();
    if (blockIdx.x == 0) {
      data[0] = round + 5;  // A
      __threadfence();
      atomicExch(turn, 1);
    } else {
      atomicExch(turn, 0);
      out[round] = data[0];  // B
    }
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace exchanged_turns_answers_too_early
DETECTOR_CASE(exchanged_turns_answers_too_early, global_race);

// The next store may overtake the read.
namespace exchanged_turns_without_fence_after_reading {
__global__ void kernel(int* data, int* flags, int* out) {
  int* const turn = flags;
  for (int round = 0; round < 3; ++round) {
    while (atomicAdd(turn, 0) != static_cast<int>(blockIdx.x)) {
    }
    __threadfence();
    if (blockIdx.x == 0) {
      data[0] = round + 5;  // A
      __threadfence();
      atomicExch(turn, 1);
    } else {
      out[round] = data[0];  // B
      atomicExch(turn, 0);
    }
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace exchanged_turns_without_fence_after_reading
DETECTOR_CASE(exchanged_turns_without_fence_after_reading, global_race);

// ---------------------------------------------------------------------------- barriers of the grid

// The last block to arrive flips the sense that the others wait for.
namespace barrier_of_the_grid_by_sense {
__device__ void wait_for_grid(int* arrived, volatile int* sense, int flipped) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(arrived, 1) == static_cast<int>(gridDim.x) - 1) {
      atomicExch(arrived, 0);
      __threadfence();
      *sense = flipped;
    } else {
      while (*sense != flipped) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void kernel(int* data, int* flags, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  data[i] = i;
  wait_for_grid(&flags[0], &flags[1], 1);
  out[i] = data[n - 1 - i];
  wait_for_grid(&flags[0], &flags[1], 0);
  data[i] = -i;
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace barrier_of_the_grid_by_sense
DETECTOR_CASE(barrier_of_the_grid_by_sense, none);

namespace barrier_of_the_grid_arrives_early {
__global__ void kernel(int* data, int* flags, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  data[i] = i;  // A
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(flags, 1);
    while (atomicAdd(flags, 0) < most_blocks) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = data[n - 1 - i];  // B
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace barrier_of_the_grid_arrives_early
DETECTOR_CASE(barrier_of_the_grid_arrives_early, global_race);

namespace barrier_of_the_grid_leaves_early {
__global__ void kernel(int* data, int* flags, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  data[i] = i;  // A
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(flags, 1);
    while (atomicAdd(flags, 0) < most_blocks) {
    }
    __threadfence();
  }
  out[i] = data[n - 1 - i];  // B
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace barrier_of_the_grid_leaves_early
DETECTOR_CASE(barrier_of_the_grid_leaves_early, global_race);

namespace barrier_of_the_grid_without_acquire {
__global__ void kernel(int* data, int* flags, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  data[i] = i;  // A
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(flags, 1);
    while (atomicAdd(flags, 0) < most_blocks) {
    }
  }
  __syncthreads();
  out[i] = data[n - 1 - i];  // B
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace barrier_of_the_grid_without_acquire
DETECTOR_CASE(barrier_of_the_grid_without_acquire, global_race);

// ------------------------------------------------------------------------- one lane for its warp

// The first warp fills the tile for the second.
namespace lane_signals_for_its_warp {
__global__ void kernel(int*, int*, int* out) {
  __shared__ int tile[32], flag;
  const int t = threadIdx.x, lane = t % 32;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    tile[lane] = t;
    __syncwarp();
    __threadfence_block();
    if (lane == 0) raise_flag(&flag);
  } else {
    if (lane == 0) wait_for(&flag);
    __threadfence_block();
    __syncwarp();
    out[lane] = tile[31 - lane];
  }
}
void run() { launch(kernel, 1, block); }
}  // namespace lane_signals_for_its_warp
DETECTOR_CASE(lane_signals_for_its_warp, none);

namespace lane_signals_without_syncwarp {
__global__ void kernel(int*, int*, int* out) {
  __shared__ int tile[32], flag;
  const int t = threadIdx.x, lane = t % 32;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    tile[lane] = t;  // A
    __threadfence_block();
    if (lane == 0) raise_flag(&flag);
  } else {
    if (lane == 0) wait_for(&flag);
    __threadfence_block();
    __syncwarp();
    out[lane] = tile[31 - lane];  // B
  }
}
void run() { launch(kernel, 1, block); }
}  // namespace lane_signals_without_syncwarp
DETECTOR_CASE(lane_signals_without_syncwarp, shared_race);

namespace lane_waits_without_syncwarp {
__global__ void kernel(int*, int*, int* out) {
  __shared__ int tile[32], flag;
  const int t = threadIdx.x, lane = t % 32;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    tile[lane] = t;  // A
    __syncwarp();
    __threadfence_block();
    if (lane == 0) raise_flag(&flag);
  } else {
    if (lane == 0) wait_for(&flag);
    __threadfence_block();
    out[lane] = tile[31 - lane];  // B
  }
}
void run() { launch(kernel, 1, block); }
}  // namespace lane_waits_without_syncwarp
DETECTOR_CASE(lane_waits_without_syncwarp, shared_race);

namespace syncwarp_without_a_writer {
__global__ void kernel(int*, int*, int* out) {
  __shared__ int tile[32], flag;
  const int t = threadIdx.x, lane = t % 32;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    tile[lane] = t;  // A
    if (lane != 5) __syncwarp(all_lanes - (1u << 5));
    __threadfence_block();
    if (lane == 0) raise_flag(&flag);
  } else {
    if (lane == 0) wait_for(&flag);
    __threadfence_block();
    __syncwarp();
    out[lane] = tile[31 - lane];  // B
  }
}
void run() { launch(kernel, 1, block); }
}  // namespace syncwarp_without_a_writer
DETECTOR_CASE(syncwarp_without_a_writer, shared_race);

// A shuffle hands a value on, but orders no memory.
namespace shuffle_passes_the_signal_on {
__global__ void kernel(int* data, int* flags, int* out) {
  const int lane = threadIdx.x;
  if (blockIdx.x == 0) {
    data[lane] = lane;  // A
    __syncwarp();
    if (lane == 0) {
      __threadfence();
      raise_flag(flags);
    }
  } else {
    int is_there = 0;
    if (lane == 0) {
      wait_for(flags);
      __threadfence();
      is_there = 1;
    }
    if (__shfl_sync(all_lanes, is_there, 0) == 1) out[lane] = data[lane];  // B
  }
}
void run() { launch(kernel, 2, 32); }
}  // namespace shuffle_passes_the_signal_on
DETECTOR_CASE(shuffle_passes_the_signal_on, global_race);

// -------------------------------------------------------------------------- tables and queues

// The block that is first fills the table.
namespace first_block_by_exchange_fills_the_table {
__global__ void kernel(int* data, int* flags, int* out) {
  if (atomicExch(&flags[1], 1) == 0) {
    data[0] = 5;
    __threadfence();
    atomicExch(flags, 2);
  } else {
    while (atomicAdd(flags, 0) != 2) {
    }
    __threadfence();
  }
  out[blockIdx.x] = data[0];
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace first_block_by_exchange_fills_the_table
DETECTOR_CASE(first_block_by_exchange_fills_the_table, none);

namespace first_block_fills_without_acquire {
__global__ void kernel(int* data, int* flags, int* out) {
  if (atomicCAS(flags, 0, 1) == 0) {
    data[0] = 5;  // A
    __threadfence();
    atomicExch(flags, 2);
  } else {
    while (atomicAdd(flags, 0) != 2) {
    }
  }
  out[blockIdx.x] = data[0];  // B
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace first_block_fills_without_acquire
DETECTOR_CASE(first_block_fills_without_acquire, global_race);

// Two blocks put elements in, two take them out. Each slot has its flag.
namespace queue_slot_by_slot {
__global__ void kernel(int* slots, int* flags, int* out) {
  int* const counters = flags + 8;
  if (blockIdx.x < 2) {
    const int slot = atomicAdd(&counters[0], 1);
    slots[slot] = blockIdx.x + 5;
    __threadfence();
    raise_flag(&flags[slot]);
  } else {
    const int slot = atomicAdd(&counters[1], 1);
    wait_for(&flags[slot]);
    __threadfence();
    out[blockIdx.x] = slots[slot];
  }
}
void run() { launch(kernel, 4, 1); }
}  // namespace queue_slot_by_slot
DETECTOR_CASE(queue_slot_by_slot, none);

namespace queue_slot_announced_early {
__global__ void kernel(int* slots, int* flags, int* out) {
  int* const counters = flags + 8;
  if (blockIdx.x < 2) {
    const int slot = atomicAdd(&counters[0], 1);
    raise_flag(&flags[slot]);
    __threadfence();
    slots[slot] = blockIdx.x + 5;  // A
  } else {
    const int slot = atomicAdd(&counters[1], 1);
    wait_for(&flags[slot]);
    __threadfence();
    out[blockIdx.x] = slots[slot];  // B
  }
}
void run() { launch(kernel, 4, 1); }
}  // namespace queue_slot_announced_early
DETECTOR_CASE(queue_slot_announced_early, global_race);

// ------------------------------------------------------------------------------------ cuda::atomic

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr auto acquire = cuda::memory_order_acquire;
constexpr auto release = cuda::memory_order_release;
constexpr auto relaxed = cuda::memory_order_relaxed;

namespace release_and_acquire {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;
    flag.store(1, release);
  } else {
    while (flag.load(acquire) == 0) {
    }
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace release_and_acquire
DETECTOR_CASE(release_and_acquire, none);

namespace relaxed_store_of_the_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    flag.store(1, relaxed);
  } else {
    while (flag.load(acquire) == 0) {
    }
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace relaxed_store_of_the_flag
DETECTOR_CASE(relaxed_store_of_the_flag, global_race);

namespace relaxed_load_of_the_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    flag.store(1, release);
  } else {
    while (flag.load(relaxed) == 0) {
    }
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace relaxed_load_of_the_flag
DETECTOR_CASE(relaxed_load_of_the_flag, global_race);

namespace relaxed_flag_between_fences {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;
    cuda::atomic_thread_fence(release, cuda::thread_scope_device);
    flag.store(1, relaxed);
  } else {
    while (flag.load(relaxed) == 0) {
    }
    cuda::atomic_thread_fence(acquire, cuda::thread_scope_device);
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace relaxed_flag_between_fences
DETECTOR_CASE(relaxed_flag_between_fences, none);

namespace relaxed_flag_and_a_block_fence {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    cuda::atomic_thread_fence(release, cuda::thread_scope_block);
    flag.store(1, relaxed);
  } else {
    while (flag.load(relaxed) == 0) {
    }
    cuda::atomic_thread_fence(acquire, cuda::thread_scope_device);
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace relaxed_flag_and_a_block_fence
DETECTOR_CASE(relaxed_flag_and_a_block_fence, global_race);

namespace sequential_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  Word flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;
    flag = 1;
  } else {
    flag.wait(0);
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace sequential_flag
DETECTOR_CASE(sequential_flag, none);

namespace relaxed_wait_then_acquire {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;
    flag.store(1, release);
  } else {
    while (flag.load(relaxed) == 0) {
    }
    out[1] = flag.load(acquire);
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace relaxed_wait_then_acquire
DETECTOR_CASE(relaxed_wait_then_acquire, none);

namespace atomic_of_the_block_between_blocks {
using BlockWord = cuda::atomic_ref<int, cuda::thread_scope_block>;
__global__ void kernel(int*, int* flags, int* out) {
  const BlockWord flag(flags[0]);
  if (blockIdx.x == 0) {
    flag.store(1, release);  // A
  } else {
    while (flag.load(acquire) == 0) {  // B
    }
    out[0] = 1;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace atomic_of_the_block_between_blocks
DETECTOR_CASE(atomic_of_the_block_between_blocks, global_race);

namespace atomic_of_the_block_between_warps {
__global__ void kernel(int*, int*, int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
  __shared__ int value;
  if (threadIdx.x == 0) flag.store(0, relaxed);
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 5;
    flag.store(1, release);
  } else if (threadIdx.x == 32) {
    while (flag.load(acquire) == 0) {
    }
    out[0] = value;
  }
}
void run() { launch(kernel, 1, block); }
}  // namespace atomic_of_the_block_between_warps
DETECTOR_CASE(atomic_of_the_block_between_warps, none);

namespace last_block_by_acquire_and_release {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word arrived(flags[0]);
  data[blockIdx.x] = blockIdx.x + 1;
  if (arrived.fetch_add(1, cuda::memory_order_acq_rel) != most_blocks - 1) return;
  for (int b = 0; b < most_blocks; ++b) out[0] += data[b];
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace last_block_by_acquire_and_release
DETECTOR_CASE(last_block_by_acquire_and_release, none);

namespace last_block_by_release_alone {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word arrived(flags[0]);
  data[blockIdx.x] = blockIdx.x + 1;  // A
  if (arrived.fetch_add(1, release) != most_blocks - 1) return;
  for (int b = 0; b < most_blocks; ++b) out[0] += data[b];  // B
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace last_block_by_release_alone
DETECTOR_CASE(last_block_by_release_alone, global_race);

namespace lock_by_compare_and_exchange {
__global__ void kernel(int* data, int* flags, int*) {
  const Word word(flags[0]);
  int expected = 0;
  while (!word.compare_exchange_weak(expected, 1, acquire, relaxed)) expected = 0;
  data[0] += 1;
  word.store(0, release);
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace lock_by_compare_and_exchange
DETECTOR_CASE(lock_by_compare_and_exchange, none);

namespace lock_released_relaxed {
__global__ void kernel(int* data, int* flags, int*) {
  const Word word(flags[0]);
  int expected = 0;
  while (!word.compare_exchange_weak(expected, 1, acquire, relaxed)) expected = 0;
  data[0] += 1;  // A B
  word.store(0, relaxed);
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace lock_released_relaxed
DETECTOR_CASE(lock_released_relaxed, global_race);

}  // namespace

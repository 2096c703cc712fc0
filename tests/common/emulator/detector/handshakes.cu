// Order between blocks that answer each other: turns, look-back, chains of blocks, grid barriers by
// hand, and operations that release or acquire by their own word.

#include <cuda/atomic>

#include "signals.h"

namespace {

using namespace tilelab::detector;

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr auto acquire = cuda::memory_order_acquire;
constexpr auto release = cuda::memory_order_release;
constexpr auto relaxed = cuda::memory_order_relaxed;

namespace acquire_of_another_word {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]), other(flags[1]);
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    flag.store(1, release);
  } else {
    while (flag.load(relaxed) == 0) {
    }
    out[1] = other.load(acquire);
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace acquire_of_another_word
DETECTOR_CASE(acquire_of_another_word, global_race);

// A store that releases does so by its own word only. It is no fence.
namespace release_of_another_word {
__global__ void kernel(int* data, int* flags, int* out) {
  const Word flag(flags[0]), other(flags[1]);
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    other.store(1, release);
    flag.store(1, relaxed);
  } else {
    while (flag.load(acquire) == 0) {
    }
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace release_of_another_word
DETECTOR_CASE(release_of_another_word, global_race);

// The block that wins the swap fills the table.
namespace first_block_fills_the_table {
__global__ void kernel(int* data, int* flags, int* out) {
  if (atomicCAS(flags, 0, 1) == 0) {
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
}  // namespace first_block_fills_the_table
DETECTOR_CASE(first_block_fills_the_table, none);

namespace flag_between_blocks_without_release {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* flag = flags;
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_between_blocks_without_release
DETECTOR_CASE(flag_between_blocks_without_release, global_race);

// A block publishes its own sum, looks back until it meets a sum of all blocks before, and
// publishes its own such sum.
namespace look_back {
__device__ void publish(int* sums, volatile int* states, int state, int sum) {
  sums[2 * blockIdx.x + state - 1] = sum;
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
    __threadfence();
    before += sums[2 * b + state - 1];
    if (state == 2) break;
  }
  publish(sums, states, 2, before + own);
  out[blockIdx.x] = before;
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace look_back
DETECTOR_CASE(look_back, none);

// State and sum are the halves of one volatile word, so there is nothing to order. `wait` returns
// the word of a block once it has one.
using Packed = unsigned long long;
template <Packed (*wait)(const volatile Packed* words, int b)>
__global__ void look_back_by_words(int* data, int*, int* out) {
  volatile Packed* const words = reinterpret_cast<Packed*>(data);
  const Packed own = blockIdx.x + 1;
  words[blockIdx.x] = Packed{1} << 32 | own;
  Packed before = 0;
  for (int b = static_cast<int>(blockIdx.x) - 1; b >= 0; --b) {
    const Packed word = wait(words, b);
    before += word & 0xffffffff;
    if (word >> 32 == 2) break;
  }
  words[blockIdx.x] = Packed{2} << 32 | (before + own);
  out[blockIdx.x] = static_cast<int>(before);
}

namespace look_back_by_one_word {
__device__ Packed wait(const volatile Packed* words, int b) {
  Packed word;
  while ((word = words[b]) == 0) {
  }
  return word;
}
void run() { launch(look_back_by_words<wait>, most_blocks, 1); }
}  // namespace look_back_by_one_word
DETECTOR_CASE(look_back_by_one_word, none);

// The first look comes before the loop, and often it is the only one.
namespace look_back_that_looks_before_it_waits {
__device__ Packed wait(const volatile Packed* words, int b) {
  Packed word = words[b];
  while (word >> 32 == 0) word = words[b];
  return word;
}
void run() { launch(look_back_by_words<wait>, most_blocks, 1); }
}  // namespace look_back_that_looks_before_it_waits
DETECTOR_CASE(look_back_that_looks_before_it_waits, none);

namespace look_back_that_waits_in_the_head_of_a_loop {
__device__ Packed wait(const volatile Packed* words, int b) {
  Packed word;
  for (word = words[b]; word >> 32 == 0; word = words[b]) {
  }
  return word;
}
void run() { launch(look_back_by_words<wait>, most_blocks, 1); }
}  // namespace look_back_that_waits_in_the_head_of_a_loop
DETECTOR_CASE(look_back_that_waits_in_the_head_of_a_loop, none);

// A loop may read in its body what its condition waits for.
namespace words_are_polled_in_the_body {
__global__ void kernel(int*, int* flags, int* out) {
  volatile int* const numbers = flags;
  if (blockIdx.x == 0) {
    numbers[0] = 5;
    numbers[1] = 6;
  } else {
    int number = 0;
    while (number == 0) number = numbers[0];
    do {
      number = numbers[1];
      __nanosleep(20);
    } while (number == 0);
    out[0] = number;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace words_are_polled_in_the_body
DETECTOR_CASE(words_are_polled_in_the_body, none);

// A round may begin anew until what it has read is there.
namespace words_are_polled_by_rounds {
__global__ void kernel(int*, int* flags, int* out) {
  volatile int* const numbers = flags;
  if (blockIdx.x == 0) {
    numbers[0] = 5;
    numbers[1] = 6;
  } else {
    int sum = 0, i = 0;
    while (i < 2) {
      const int number = numbers[i];
      if (number == 0) continue;
      if (const int* const seen = &number; *seen == 0) continue;
      sum += number;
      ++i;
    }
    out[0] = sum;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace words_are_polled_by_rounds
DETECTOR_CASE(words_are_polled_by_rounds, none);

// It may also do all of its work in a branch at its end.
namespace words_are_polled_by_rounds_that_may_do_nothing {
__global__ void kernel(int*, int* flags, int* out) {
  volatile int* const numbers = flags;
  if (blockIdx.x == 0) {
    numbers[0] = 5;
    numbers[1] = 6;
  } else {
    int sum = 0, i = 0;
    while (i < 2) {
      if (numbers[i] == 0) {
        __nanosleep(20);
        continue;
      }
      const int number = numbers[i];
      if (number != 0) {
        sum += number;
        ++i;
      }
    }
    out[0] = sum;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace words_are_polled_by_rounds_that_may_do_nothing
DETECTOR_CASE(words_are_polled_by_rounds_that_may_do_nothing, none);

// A loop that counts can take its step back.
namespace words_are_polled_by_steps_back {
__global__ void kernel(int*, int* flags, int* out) {
  volatile int* const numbers = flags;
  if (blockIdx.x == 0) {
    numbers[0] = 5;
    numbers[1] = 6;
  } else {
    int sum = 0;
    for (int i = 1; i >= 0; --i) {
      const int number = numbers[i];
      if (number == 0) {
        ++i;
        __nanosleep(20);
        continue;
      }
      sum += number;
    }
    out[0] = sum;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace words_are_polled_by_steps_back
DETECTOR_CASE(words_are_polled_by_steps_back, none);

// One that goes on does not wait.
namespace words_are_left_out_by_a_loop_that_counts {
__global__ void kernel(int*, int* flags, int* out) {
  volatile int* const numbers = flags;
  if (blockIdx.x == 0) {
    numbers[0] = 5;  // A
  } else {
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
      const int number = numbers[0];  // B
      if (number == 0) continue;
      sum += number;
    }
    out[0] = sum;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace words_are_left_out_by_a_loop_that_counts
DETECTOR_CASE(words_are_left_out_by_a_loop_that_counts, global_race);

// What a round leaves out for another reason is not what it waits for.
namespace words_are_not_what_a_round_waits_for {
__global__ void kernel(int*, int* flags, int* out) {
  volatile int* const numbers = flags;
  if (blockIdx.x == 0) {
    numbers[0] = 5;  // A
  } else {
    int sum = 0, i = 0;
    while (i < 2) {
      const int number = numbers[0];  // B
      if (++i == 1) continue;
      sum += number;
    }
    out[0] = sum;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace words_are_not_what_a_round_waits_for
DETECTOR_CASE(words_are_not_what_a_round_waits_for, global_race);

// A body that does more does not only wait.
namespace words_are_used_in_the_body {
__global__ void kernel(int*, int* flags, int* out) {
  volatile int* const numbers = flags;
  int number = 0;
  if (blockIdx.x == 0) {
    numbers[0] = 5;  // A
  } else {
    while (number < 2) {
      out[number] = numbers[0];  // B
      number = number + 1;
    }
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace words_are_used_in_the_body
DETECTOR_CASE(words_are_used_in_the_body, global_race);

namespace ping_pong {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* const turn = flags;
  for (int round = 0; round < 3; ++round) {
    while (*turn != static_cast<int>(blockIdx.x)) {
    }
    __threadfence();
    if (blockIdx.x == 0) {
      data[0] = round + 5;
    } else {
      out[round] = data[0];
    }
    __threadfence();
    *turn = 1 - blockIdx.x;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace ping_pong
DETECTOR_CASE(ping_pong, none);

namespace ping_pong_answers_too_early {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* const turn = flags;
  for (int round = 0; round < 3; ++round) {
    while (*turn != static_cast<int>(blockIdx.x)) {
    }
    __threadfence();
    if (blockIdx.x == 0) {
      data[0] = round + 5;  // A
      __threadfence();
      *turn = 1;
    } else {
      *turn = 0;
      out[round] = data[0];  // B
    }
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace ping_pong_answers_too_early
DETECTOR_CASE(ping_pong_answers_too_early, global_race);

// The next store may overtake the read.
namespace ping_pong_without_fence_after_reading {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* const turn = flags;
  for (int round = 0; round < 3; ++round) {
    while (*turn != static_cast<int>(blockIdx.x)) {
    }
    __threadfence();
    if (blockIdx.x == 0) {
      data[0] = round + 5;  // A
      __threadfence();
      *turn = 1;
    } else {
      out[round] = data[0];  // B
      *turn = 0;
    }
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace ping_pong_without_fence_after_reading
DETECTOR_CASE(ping_pong_without_fence_after_reading, global_race);

// The last block does not hand on what the others have released.
namespace sense_flipped_without_a_fence {
__device__ void wait_for_grid(int* arrived, volatile int* sense, int flipped) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(arrived, 1) == static_cast<int>(gridDim.x) - 1) {
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
  data[i] = i;  // A
  wait_for_grid(&flags[0], &flags[1], 1);
  out[i] = data[n - 1 - i];  // B
}
void run() { launch(kernel, most_blocks, block); }
}  // namespace sense_flipped_without_a_fence
DETECTOR_CASE(sense_flipped_without_a_fence, global_race);

// What the third block reads comes from a thread that has released nothing.
namespace store_breaks_the_chain {
__global__ void kernel(int* data, int* flags, int* out) {
  volatile int* flag = flags;
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag != 1) {
    }
    *flag = 2;
  } else {
    while (*flag != 2) {
    }
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace store_breaks_the_chain
DETECTOR_CASE(store_breaks_the_chain, global_race);

namespace exchanged_turns {
__global__ void kernel(int* data, int* flags, int* out) {
  int* const turn = flags;
  for (int round = 0; round < 3; ++round) {
    while (atomicAdd(turn, 0) != static_cast<int>(blockIdx.x)) {
    }
    __threadfence();
    if (blockIdx.x == 0) {
      data[0] = round + 5;
    } else {
      out[round] = data[0];
    }
    __threadfence();
    atomicExch(turn, 1 - blockIdx.x);
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace exchanged_turns
DETECTOR_CASE(exchanged_turns, none);

// A block publishes its own sum, looks back until it meets a sum of all blocks before, and
// publishes its own such sum.
namespace look_back_by_exchange {
__device__ void publish(int* sums, int* states, int state, int sum) {
  sums[2 * blockIdx.x + state - 1] = sum;
  __threadfence();
  atomicExch(&states[blockIdx.x], state);
}
__global__ void kernel(int* sums, int* flags, int* out) {
  int* const states = flags;
  const int own = blockIdx.x + 1;
  publish(sums, states, 1, own);
  int before = 0;
  for (int b = static_cast<int>(blockIdx.x) - 1; b >= 0; --b) {
    int state;
    while ((state = atomicAdd(&states[b], 0)) == 0) {
    }
    __threadfence();
    before += sums[2 * b + state - 1];
    if (state == 2) break;
  }
  publish(sums, states, 2, before + own);
  out[blockIdx.x] = before;
}
void run() { launch(kernel, most_blocks, 1); }
}  // namespace look_back_by_exchange
DETECTOR_CASE(look_back_by_exchange, none);

// What the third block reads comes from a thread that has released nothing.
namespace relaxed_store_breaks_the_chain {
__global__ void kernel(int* data, int* flags, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[0]);
  if (blockIdx.x == 0) {
    data[0] = 5;  // A
    __threadfence();
    flag.store(1, cuda::memory_order_relaxed);
  } else if (blockIdx.x == 1) {
    while (flag.load(cuda::memory_order_relaxed) != 1) {
    }
    flag.store(2, cuda::memory_order_relaxed);
  } else {
    while (flag.load(cuda::memory_order_relaxed) != 2) {
    }
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 3, 1); }
}  // namespace relaxed_store_breaks_the_chain
DETECTOR_CASE(relaxed_store_breaks_the_chain, global_race);

// The first block only waits until its data has been read.
namespace producer_waits_for_the_answer {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    raise_flag(&flags[0]);
    wait_for(&flags[1]);
  } else {
    wait_for(&flags[0]);
    __threadfence();
    out[0] = data[0];
    raise_flag(&flags[1]);
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace producer_waits_for_the_answer
DETECTOR_CASE(producer_waits_for_the_answer, none);

// The thread that raises the flag has swapped the same word before.
namespace flag_raised_after_a_swap {
__global__ void kernel(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    atomicCAS(flags, 0, 1);
    data[0] = 5;
    __threadfence();
    atomicExch(flags, 2);
  } else {
    while (atomicAdd(flags, 0) != 2) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace flag_raised_after_a_swap
DETECTOR_CASE(flag_raised_after_a_swap, none);

// One half of the word is written before the flag is raised, the other one after it.
namespace half_of_a_word_before_the_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  auto* halves = reinterpret_cast<unsigned short*>(data);
  if (blockIdx.x == 0) {
    halves[0] = 5;
    __threadfence();
    raise_flag(flags);
    halves[1] = 6;
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = halves[0];
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace half_of_a_word_before_the_flag
DETECTOR_CASE(half_of_a_word_before_the_flag, none);

namespace all_of_a_word_before_its_second_half {
__global__ void kernel(int* data, int* flags, int* out) {
  auto* halves = reinterpret_cast<unsigned short*>(data);
  if (blockIdx.x == 0) {
    halves[0] = 5;
    __threadfence();
    raise_flag(flags);
    halves[1] = 6;  // A
  } else {
    wait_for(flags);
    __threadfence();
    out[0] = data[0];  // B
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace all_of_a_word_before_its_second_half
DETECTOR_CASE(all_of_a_word_before_its_second_half, global_race);

// The thread has read one half before it raises the flag. The other block overwrites that one.
namespace half_of_a_word_read_before_the_flag {
__global__ void kernel(int* data, int* flags, int* out) {
  auto* halves = reinterpret_cast<unsigned short*>(data);
  if (blockIdx.x == 0) {
    out[0] = halves[0];
    __threadfence();
    raise_flag(flags);
    out[1] = halves[1];
  } else {
    wait_for(flags);
    __threadfence();
    halves[0] = 7;
  }
}
void run() { launch(kernel, 2, 1); }
}  // namespace half_of_a_word_read_before_the_flag
DETECTOR_CASE(half_of_a_word_read_before_the_flag, none);

}  // namespace

// Barriers that not all threads of a block reach, and barriers that only look so.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr int grid = 2;

// Half of the threads wait; the others continue to the next barrier.
namespace barrier_within_a_branch {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = data[tx];
  if (tx < block / 2) {
    __syncthreads();  // A
    data[tx] = tile[tx + block / 2];
  }
  __syncthreads();  // B
  data[tx] += 1;
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace barrier_within_a_branch
DETECTOR_CASE(barrier_within_a_branch, divergent_barrier);

// The barrier comes before the branch.
namespace barrier_before_a_branch {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = data[tx];
  __syncthreads();
  if (tx < block / 2) data[tx] = tile[tx + block / 2];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace barrier_before_a_branch
DETECTOR_CASE(barrier_before_a_branch, none);

// Each side of the branch has its own barrier. They are not the same barrier.
namespace barrier_on_each_side {
__global__ void kernel(int* data) {
  const int tx = threadIdx.x;
  if (data[tx] % 2 == 0) {
    data[tx] += 1;
    __syncthreads();  // A
  } else {
    data[tx] -= 1;
    __syncthreads();  // B
  }
  data[tx] *= 2;
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace barrier_on_each_side
DETECTOR_CASE(barrier_on_each_side, divergent_barrier);

// The same kernel with data for which each block takes one side.
namespace barrier_on_each_side_by_block {
__global__ void kernel(int* data) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (data[i] % 2 == 0) {
    data[i] += 1;
    __syncthreads();
  } else {
    data[i] -= 1;
    __syncthreads();
  }
  data[i] *= 2;
}
void run() {
  std::vector<int> values(grid * block, 0);
  for (int i = block; i < grid * block; ++i) values[i] = 1;
  const Array<int> data(values);
  kernel<<<grid, block>>>(data);
  finish();
}
}  // namespace barrier_on_each_side_by_block
DETECTOR_CASE(barrier_on_each_side_by_block, none);

// Two barriers on one line are two barriers.
namespace barriers_on_one_line {
__global__ void kernel(int* data) {
  const int tx = threadIdx.x;
  // clang-format off
  if (data[tx] % 2 == 0) { __syncthreads(); } else { __syncthreads(); }  // A B
  // clang-format on
  data[tx] *= 2;
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace barriers_on_one_line
DETECTOR_CASE(barriers_on_one_line, divergent_barrier);

// How often a thread reaches the barrier depends on the thread.
namespace barrier_in_a_loop_of_different_length {
__global__ void kernel(int* data) {
  const int tx = threadIdx.x;
  for (int k = 0; k < 1 + tx / 32; ++k) {
    data[tx] += k;
    __syncthreads();  // A
  }
  data[tx] += 1;
  __syncthreads();  // B
  data[tx] *= 2;
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace barrier_in_a_loop_of_different_length
DETECTOR_CASE(barrier_in_a_loop_of_different_length, divergent_barrier);

// The data decide how often, but it is the same for all threads of a block.
namespace barrier_in_a_loop_of_the_blocks_length {
__global__ void kernel(const int* lengths, int* out) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  int value = tx;
  for (int k = 0; k < lengths[blockIdx.x]; ++k) {
    tile[tx] = value;
    __syncthreads();
    value += tile[(tx + 1) % block];
    __syncthreads();
  }
  out[blockIdx.x * block + tx] = value;
}
void run() {
  const Array<int> lengths(std::vector<int>{2, 5});
  const Array<int> out(grid * block);
  kernel<<<grid, block>>>(lengths, out);
  finish();
}
}  // namespace barrier_in_a_loop_of_the_blocks_length
DETECTOR_CASE(barrier_in_a_loop_of_the_blocks_length, none);

// Threads past the end return before the barrier at which the others wait.
namespace early_return_before_a_barrier {
__global__ void kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  if (tx >= n) return;  // B
  tile[tx] = in[tx];
  __syncthreads();  // A
  out[tx] = tile[n - 1 - tx];
}
void run() {
  constexpr int n = block - 10;
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<1, block>>>(in, out, n);
  finish();
}
}  // namespace early_return_before_a_barrier
DEBATABLE_CASE(early_return_before_a_barrier, none,
               "CUDA's guide asks all threads to come to a barrier, or all that have not exited "
               "(PTX); hardware since Volta does not wait for threads that have exited");

// Threads past the end stay for the barrier and skip what surrounds it.
namespace guard_around_all_but_the_barrier {
__global__ void kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  if (tx < n) tile[tx] = in[tx];
  __syncthreads();
  if (tx < n) out[tx] = tile[n - 1 - tx];
}
void run() {
  constexpr int n = block - 10;
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<1, block>>>(in, out, n);
  finish();
}
}  // namespace guard_around_all_but_the_barrier
DETECTOR_CASE(guard_around_all_but_the_barrier, none);

// The barrier that counts orders memory as well as the plain one.
namespace counting_barrier {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = in[tx];
  const int odd = __syncthreads_count(in[tx] % 2);
  out[tx] = tile[block - 1 - tx] + odd;
}
void run() {
  const Array<int> in(ascending(block));
  const Array<int> out(block);
  kernel<<<1, block>>>(in, out);
  finish();
}
}  // namespace counting_barrier
DETECTOR_CASE(counting_barrier, none);

// All threads loop until none has anything left to do, which the voting barrier tells all of them.
namespace loop_until_no_thread_wants_more {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  tile[tx] = data[tx];
  int changed = 1;
  while (__syncthreads_or(changed)) {
    const int left = tx > 0 ? tile[tx - 1] : 0;
    __syncthreads();
    changed = left > tile[tx];
    if (changed) tile[tx] = left;
  }
  data[tx] = tile[tx];
}
void run() {
  std::vector<int> values = ascending(block);
  values[10] = 15;
  const Array<int> data(values);
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace loop_until_no_thread_wants_more
DETECTOR_CASE(loop_until_no_thread_wants_more, none);

// The flag that ends the loop is cleared for the next round while others still read it.
namespace flag_of_a_loop_lowered_too_early {
__global__ void kernel(int* data) {
  __shared__ int again;
  const int tx = threadIdx.x;
  int left = 3;
  do {
    if (tx == 0) again = 0;  // A
    __syncthreads();
    if (tx == 1 && --left > 0) again = 1;
    __syncthreads();
    data[tx] += 1;
  } while (again == 1);  // B
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace flag_of_a_loop_lowered_too_early
DETECTOR_CASE(flag_of_a_loop_lowered_too_early, shared_race);

// A barrier after the read fixes it.
namespace flag_of_a_loop_lowered_after_a_barrier {
__global__ void kernel(int* data) {
  __shared__ int again;
  const int tx = threadIdx.x;
  int left = 3;
  bool more = true;
  while (more) {
    if (tx == 0) again = 0;
    __syncthreads();
    if (tx == 1 && --left > 0) again = 1;
    __syncthreads();
    data[tx] += 1;
    more = again == 1;
    __syncthreads();
  }
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace flag_of_a_loop_lowered_after_a_barrier
DETECTOR_CASE(flag_of_a_loop_lowered_after_a_barrier, none);

}  // namespace

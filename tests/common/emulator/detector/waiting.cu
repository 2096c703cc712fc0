// Threads and blocks that wait for each other in loops of their own. A GPU has room for all blocks
// of these launches at a time.

#include "cases.h"

namespace {

using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr int grid = 6;
constexpr int n = grid * block;

// All blocks wait for each other, twice, at a barrier made of a counter.
namespace barrier_of_the_grid {
__device__ void wait_for_grid(unsigned* arrived, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*static_cast<volatile unsigned*>(arrived) < round * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void kernel(unsigned* arrived, int* data, int* out) {
  __shared__ int mine[block];
  const int i = blockIdx.x * block + threadIdx.x;
  mine[threadIdx.x] = i;
  data[i] = i;
  wait_for_grid(arrived, 1);
  const int other = data[n - 1 - i];
  wait_for_grid(arrived, 2);
  data[i] = other;
  out[i] = mine[block - 1 - threadIdx.x];
}
void run() {
  const Array<unsigned> arrived(1, 0u);
  const Array<int> data(n);
  const Array<int> out(n);
  kernel<<<grid, block>>>(arrived, data, out);
  finish();
}
}  // namespace barrier_of_the_grid
DETECTOR_CASE(barrier_of_the_grid, none);

// The barrier forgets its fences, so nothing says that the elements of other blocks are there.
namespace barrier_of_the_grid_without_fences {
__global__ void kernel(unsigned* arrived, int* data, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  data[i] = i;  // A
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
  out[i] = data[n - 1 - i];  // B
}
void run() {
  const Array<unsigned> arrived(1, 0u);
  const Array<int> data(n);
  const Array<int> out(n);
  kernel<<<grid, block>>>(arrived, data, out);
  finish();
}
}  // namespace barrier_of_the_grid_without_fences
DETECTOR_CASE(barrier_of_the_grid_without_fences, global_race);

// Each block waits for the one after it.
namespace wait_for_the_next_block {
__global__ void kernel(volatile int* ready, int* data) {
  const int b = blockIdx.x;
  if (threadIdx.x != 0) return;
  if (b + 1 < grid) {
    while (ready[b + 1] == 0) {
    }
    __threadfence();
  }
  data[b] = b + 1 < grid ? data[b + 1] + 1 : 0;
  __threadfence();
  ready[b] = 1;
}
void run() {
  const Array<int> ready(grid, 0);
  const Array<int> data(grid);
  kernel<<<grid, block>>>(ready, data);
  finish();
}
}  // namespace wait_for_the_next_block
DETECTOR_CASE(wait_for_the_next_block, none);

// The second warp asks until the first one has answered.
namespace question_and_answer {
__global__ void kernel(int* out) {
  __shared__ volatile int question, answer;
  __shared__ int value;
  if (threadIdx.x == 0) {
    question = 0;
    answer = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    do {
    } while (question == 0);
    __threadfence_block();
    value = question + 1;
    __threadfence_block();
    answer = 1;
  }
  if (threadIdx.x == 32) {
    __threadfence_block();
    question = 5;
    for (;;) {
      if (answer != 0) break;
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
}  // namespace question_and_answer
DETECTOR_CASE(question_and_answer, none);

// Tickets let the threads of all blocks in one by one.
namespace tickets {
__global__ void kernel(unsigned* tickets, unsigned* serving, int* counter) {
  if (threadIdx.x % 32 != 0) return;
  const unsigned ticket = atomicAdd(tickets, 1u);
  while (atomicAdd(serving, 0u) != ticket) {
  }
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicAdd(serving, 1u);
}
void run() {
  const Array<unsigned> tickets(1, 0u);
  const Array<unsigned> serving(1, 0u);
  const Array<int> counter(1, 0);
  kernel<<<grid, block>>>(tickets, serving, counter);
  finish();
}
}  // namespace tickets
DETECTOR_CASE(tickets, none);

}  // namespace

// Memory that kernels allocate themselves.

#include "cases.h"

namespace {

using tilelab::detector::finish;

constexpr int block = 32;

namespace kernel_allocates_and_frees {
__global__ void kernel(int* out) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  if (mine == nullptr) return;
  for (int i = 0; i < 4; ++i) mine[i] = threadIdx.x + i;
  out[blockIdx.x * block + threadIdx.x] = mine[0] + mine[3];
  free(mine);
}
void run() {
  const Array<int> out(2 * block);
  kernel<<<2, block>>>(out);
  finish();
}
}  // namespace kernel_allocates_and_frees
DETECTOR_CASE(kernel_allocates_and_frees, none);

namespace kernel_news_and_deletes {
struct Point {
  int x, y;
  __device__ Point(int both) : x(both), y(both) {}
};
__global__ void kernel(int* out) {
  Point* point = new Point(threadIdx.x);
  int* values = new int[3];
  values[2] = point->x;
  out[blockIdx.x * block + threadIdx.x] = values[2] + point->y;
  delete[] values;
  delete point;
}
void run() {
  const Array<int> out(2 * block);
  kernel<<<2, block>>>(out);
  finish();
}
}  // namespace kernel_news_and_deletes
DETECTOR_CASE(kernel_news_and_deletes, none);

// One thread allocates for its block, and a later launch frees what an earlier one allocated.
namespace allocation_shared_by_a_block {
__device__ int* kept[2];
__global__ void allocate() {
  __shared__ int* data;
  if (threadIdx.x == 0) data = static_cast<int*>(malloc(block * sizeof(int)));
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) kept[blockIdx.x] = data;
}
__global__ void use(int* out) {
  out[blockIdx.x * block + threadIdx.x] = kept[blockIdx.x][threadIdx.x];
}
__global__ void release() {
  if (threadIdx.x == 0) free(kept[blockIdx.x]);
}
void run() {
  const Array<int> out(2 * block);
  allocate<<<2, block>>>();
  use<<<2, block>>>(out);
  release<<<2, block>>>();
  finish();
}
}  // namespace allocation_shared_by_a_block
DETECTOR_CASE(allocation_shared_by_a_block, none);

// One thread frees what another has read, and has told so.
namespace allocation_freed_by_another_thread {
__global__ void kernel(int* out) {
  __shared__ int* data;
  __shared__ volatile int done;
  if (threadIdx.x == 0) {
    done = 0;
    data = static_cast<int*>(malloc(sizeof(int)));
    *data = 5;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = *data;
    __threadfence_block();
    done = 1;
  } else if (threadIdx.x == block) {
    while (done == 0) {
    }
    __threadfence_block();
    free(data);
  }
}
void run() {
  const Array<int> out(1);
  kernel<<<1, 2 * block>>>(out);
  finish();
}
}  // namespace allocation_freed_by_another_thread
DETECTOR_CASE(allocation_freed_by_another_thread, none);

// The same without fences: the read may come after the free.
namespace allocation_freed_without_fences {
__global__ void kernel(int* out) {
  __shared__ int* data;
  __shared__ volatile int done;
  if (threadIdx.x == 0) {
    done = 0;
    data = static_cast<int*>(malloc(sizeof(int)));
    *data = 5;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = *data;  // A
    done = 1;
  } else if (threadIdx.x == block) {
    while (done == 0) {
    }
    free(data);  // B
  }
}
void run() {
  const Array<int> out(1);
  kernel<<<1, 2 * block>>>(out);
  finish();
}
}  // namespace allocation_freed_without_fences
DETECTOR_CASE(allocation_freed_without_fences, global_race);

namespace past_the_end_of_a_kernels_allocation {
__global__ void kernel(int* out) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i <= 4; ++i) mine[i] = i;  // A
  out[threadIdx.x] = mine[0];
  free(mine);
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace past_the_end_of_a_kernels_allocation
DETECTOR_CASE(past_the_end_of_a_kernels_allocation, out_of_bounds);

namespace kernel_reads_what_it_freed {
__global__ void kernel(int* out) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  mine[0] = threadIdx.x;
  free(mine);
  out[threadIdx.x] = *static_cast<volatile int*>(mine);  // A
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace kernel_reads_what_it_freed
DETECTOR_CASE(kernel_reads_what_it_freed, out_of_bounds);

namespace kernel_reads_what_it_never_wrote {
__global__ void kernel(int* out) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  mine[0] = threadIdx.x;
  out[threadIdx.x] = mine[0] + mine[1];  // A
  free(mine);
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace kernel_reads_what_it_never_wrote
DETECTOR_CASE(kernel_reads_what_it_never_wrote, uninitialized);

}  // namespace

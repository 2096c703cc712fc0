// Barriers of cooperative groups: of a block, of tiles and of the grid.

#include <cooperative_groups.h>

#include "cases.h"

namespace {

namespace cg = cooperative_groups;
using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;

// The block's group is the block: its sync() is a barrier.
namespace group_of_the_block_waits {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const cg::thread_block group = cg::this_thread_block();
  tile[threadIdx.x] = data[threadIdx.x];
  group.sync();
  data[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace group_of_the_block_waits
DETECTOR_CASE(group_of_the_block_waits, none);

// A tile of 32 waits, but the threads read what the other warp writes.
namespace tile_waits_for_itself_only {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  tile[threadIdx.x] = data[threadIdx.x];  // A
  warp.sync();
  data[threadIdx.x] = tile[block - 1 - threadIdx.x];  // B
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace tile_waits_for_itself_only
DETECTOR_CASE(tile_waits_for_itself_only, shared_race);

// Each tile of 8 reads only what its own threads write.
namespace tile_keeps_to_itself {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  tile[threadIdx.x] = data[threadIdx.x];
  group.sync();
  data[threadIdx.x] = tile[threadIdx.x / 8 * 8 + 7 - group.thread_rank()];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace tile_keeps_to_itself
DETECTOR_CASE(tile_keeps_to_itself, none);

// Threads read beyond their tile of 8, in the same warp.
namespace tile_is_too_small {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  tile[threadIdx.x] = data[threadIdx.x];  // A
  group.sync();
  data[threadIdx.x] = tile[threadIdx.x ^ 16];  // B
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace tile_is_too_small
DETECTOR_CASE(tile_is_too_small, shared_race);

// Half of a tile shuffles; the other half is already at the barrier.
namespace tile_shuffles_in_half {
__global__ void kernel(int* data) {
  const auto group = cg::tiled_partition<16>(cg::this_thread_block());
  if (group.thread_rank() < 8) {
    data[threadIdx.x] = group.shfl(data[threadIdx.x], 3);  // A
  }
  __syncthreads();
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace tile_shuffles_in_half
DETECTOR_CASE(tile_shuffles_in_half, missing_lane);

// Coalesced threads fill a list; nobody else reads it before the block's barrier.
namespace coalesced_threads_fill_a_list {
__global__ void kernel(int* data) {
  __shared__ int count;
  __shared__ int list[block];
  const cg::thread_block group = cg::this_thread_block();
  if (threadIdx.x == 0) count = 0;
  group.sync();
  if (data[threadIdx.x] % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(&count, static_cast<int>(active.size()));
    list[active.shfl(first, 0) + active.thread_rank()] = threadIdx.x;
  }
  group.sync();
  if (threadIdx.x < count) data[threadIdx.x] = list[threadIdx.x];
}
void run() {
  const Array<int> data(ascending(block));
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace coalesced_threads_fill_a_list
DETECTOR_CASE(coalesced_threads_fill_a_list, none);

// A block reads what the other one has written before the grid's barrier.
namespace grid_waits {
__global__ void kernel(int* data) {
  __shared__ int tile[block];
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int size = static_cast<int>(grid.size());
  tile[threadIdx.x] = i;
  data[i] = 2 * i;
  grid.sync();
  const int other = data[size - 1 - i];
  grid.sync();
  data[i] = other + tile[threadIdx.x];
}
void run() {
  const Array<int> data(2 * block);
  int* pointer = data;
  void* arguments[] = {&pointer};
  cudaLaunchCooperativeKernel((void*)kernel, 2, block, arguments, 0, 0);
  finish();
}
}  // namespace grid_waits
DETECTOR_CASE(grid_waits, none);

// The second barrier is missing: a block writes what the other one still reads.
namespace grid_waits_once {
__global__ void kernel(int* data) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int size = static_cast<int>(grid.size());
  data[i] = 2 * i;
  grid.sync();
  const int other = data[size - 1 - i];  // A
  data[i] = other;                       // B
}
void run() {
  const Array<int> data(2 * block);
  int* pointer = data;
  void* arguments[] = {&pointer};
  cudaLaunchCooperativeKernel((void*)kernel, 2, block, arguments, 0, 0);
  finish();
}
}  // namespace grid_waits_once
DETECTOR_CASE(grid_waits_once, global_race);

// Shared memory that the block has never written is still unwritten after the grid's barrier.
namespace grid_waits_and_reads_nothing {
__global__ void kernel(int* data) {
  __shared__ int tile[2 * block];
  const cg::grid_group grid = cg::this_grid();
  tile[threadIdx.x + block * blockIdx.x] = 1;
  grid.sync();
  data[grid.thread_rank()] = tile[threadIdx.x];  // A
}
void run() {
  const Array<int> data(2 * block);
  int* pointer = data;
  void* arguments[] = {&pointer};
  cudaLaunchCooperativeKernel((void*)kernel, 2, block, arguments, 0, 0);
  finish();
}
}  // namespace grid_waits_and_reads_nothing
DETECTOR_CASE(grid_waits_and_reads_nothing, uninitialized);

}  // namespace

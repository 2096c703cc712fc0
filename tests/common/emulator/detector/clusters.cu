// Blocks of a cluster that access each other's shared memory.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "cases.h"

namespace {

namespace cg = cooperative_groups;
using tilelab::detector::ascending;
using tilelab::detector::finish;

constexpr int block = 64;
constexpr int cluster_blocks = 4;
constexpr int grid = 8;
constexpr int n = grid * block;

__device__ unsigned next_block() {
  return (cg::this_cluster().block_rank() + 1) % cg::this_cluster().num_blocks();
}

// Each block reads the next one's tile.
namespace cluster_reads_its_neighbor {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cg::this_cluster().sync();
  out[i] = cg::this_cluster().map_shared_rank(tile, next_block())[block - 1 - threadIdx.x];
  cg::this_cluster().sync();
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_reads_its_neighbor
DETECTOR_CASE(cluster_reads_its_neighbor, none);

// The last sync() is missing: a block may exit before its neighbor has read its tile.
namespace cluster_exits_early {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cg::this_cluster().sync();
  out[i] = cg::this_cluster().map_shared_rank(tile, next_block())[threadIdx.x];  // A
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_exits_early
DETECTOR_CASE(cluster_exits_early, absent_block);

// A block's barrier keeps its own threads from exiting, but not the other block.
namespace cluster_ends_with_a_block_barrier {
__global__ void __cluster_dims__(2) kernel(int* out) {
  __shared__ int tile[block];
  tile[threadIdx.x] = threadIdx.x;
  cg::this_cluster().sync();
  atomicAdd(&cg::this_cluster().map_shared_rank(tile, next_block())[threadIdx.x], 1);  // A
  __syncthreads();
  out[blockIdx.x * block + threadIdx.x] = 1;
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace cluster_ends_with_a_block_barrier
DETECTOR_CASE(cluster_ends_with_a_block_barrier, absent_block);

// The neighbor may not have begun when it is written to.
namespace cluster_writes_too_early {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  cg::this_cluster().map_shared_rank(tile, next_block())[threadIdx.x] = in[i];  // A
  cg::this_cluster().sync();
  out[i] = i;
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_writes_too_early
DETECTOR_CASE(cluster_writes_too_early, absent_block);

// The same after a sync(): the block reads what its neighbor has written there.
namespace cluster_writes_to_its_neighbor {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  cg::this_cluster().sync();
  cg::this_cluster().map_shared_rank(tile, next_block())[threadIdx.x] = in[i];
  cg::this_cluster().sync();
  out[i] = tile[block - 1 - threadIdx.x];
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_writes_to_its_neighbor
DETECTOR_CASE(cluster_writes_to_its_neighbor, none);

// Only the block's own threads meet between the write and the read of its neighbor.
namespace cluster_waits_for_the_block_only {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = 0;
  cg::this_cluster().sync();
  tile[threadIdx.x] = in[i];  // A
  __syncthreads();
  out[i] = cg::this_cluster().map_shared_rank(tile, next_block())[threadIdx.x];  // B
  cg::this_cluster().sync();
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_waits_for_the_block_only
DETECTOR_CASE(cluster_waits_for_the_block_only, shared_race);

// Dynamic shared memory, with a tile that is filled again before the neighbor has read it.
namespace cluster_refills_too_early {
__global__ void kernel(const int* in, int* out, int rounds) {
  extern __shared__ int tile[];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * block + threadIdx.x;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    tile[threadIdx.x] = in[i] + round;  // A
    cluster.sync();
    sum += cluster.map_shared_rank(tile, next_block())[threadIdx.x];  // B
  }
  cluster.sync();
  out[i] = sum;
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster_blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = grid;
  launch.blockDim = block;
  launch.dynamicSmemBytes = block * sizeof(int);
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  const int* from = in;
  int* to = out;
  cudaLaunchKernelEx(&launch, kernel, from, to, 3);
  finish();
}
}  // namespace cluster_refills_too_early
DETECTOR_CASE(cluster_refills_too_early, shared_race);

// Both blocks write to the same place in one of them.
namespace cluster_writes_twice {
__global__ void __cluster_dims__(2) kernel(int* out) {
  __shared__ int result;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&result, 0) = blockIdx.x + 5;  // A B
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) out[blockIdx.x] = result;
}
void run() {
  const Array<int> out(std::vector<int>(grid, 0));
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace cluster_writes_twice
DETECTOR_CASE(cluster_writes_twice, shared_race);

// The bins of a histogram are spread over the blocks of a cluster.
namespace cluster_histogram {
__global__ void __cluster_dims__(2) kernel(const int* in, int* bins, int bins_per_block) {
  extern __shared__ int counts[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_block; i += block) counts[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < n; i += block * gridDim.x) {
    const int bin = in[i] * 7 % (2 * bins_per_block);
    int* const theirs = cluster.map_shared_rank(counts, bin / bins_per_block);
    atomicAdd(theirs + bin % bins_per_block, 1);
  }
  cluster.sync();
  int* const own = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += block) atomicAdd(&own[i], counts[i]);
}
void run() {
  constexpr int bins_per_block = 50;
  const Array<int> in(ascending(n));
  const Array<int> bins(2 * bins_per_block, 0);
  kernel<<<2, block, bins_per_block * sizeof(int)>>>(in, bins, bins_per_block);
  finish();
}
}  // namespace cluster_histogram
DETECTOR_CASE(cluster_histogram, none);

// The block works on its own memory between the two halves of the barrier.
namespace cluster_barrier_in_two_halves {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block], own[block];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.barrier_arrive();
  own[threadIdx.x] = in[i] * 2;
  __syncthreads();
  const int value = own[block - 1 - threadIdx.x];
  cluster.barrier_wait();
  out[i] = value + cluster.map_shared_rank(tile, next_block())[threadIdx.x];
  cluster.sync();
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_barrier_in_two_halves
DETECTOR_CASE(cluster_barrier_in_two_halves, none);

// What is written after the arrival may not be there when the neighbor goes on.
namespace cluster_writes_after_its_arrival {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * block + threadIdx.x;
  cluster.barrier_arrive();
  tile[threadIdx.x] = in[i];  // A
  cluster.barrier_wait();
  out[i] = cluster.map_shared_rank(tile, next_block())[threadIdx.x];  // B
  cluster.sync();
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_writes_after_its_arrival
DETECTOR_CASE(cluster_writes_after_its_arrival, shared_race);

// One element past the end of the neighbor's tile.
namespace cluster_past_the_end {
__global__ void __cluster_dims__(2) kernel(int* out) {
  __shared__ int tile[block];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* const theirs = cluster.map_shared_rank(tile, next_block());
  out[blockIdx.x * block + threadIdx.x] = theirs[threadIdx.x + 1];  // A
  cluster.sync();
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace cluster_past_the_end
DETECTOR_CASE(cluster_past_the_end, out_of_bounds);

// The neighbor has no more dynamic shared memory than this block.
namespace cluster_past_dynamic_memory {
__global__ void __cluster_dims__(2) kernel(int* out) {
  extern __shared__ int tile[];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  cluster.map_shared_rank(tile, next_block())[threadIdx.x + block] = 1;  // A
  cluster.sync();
  out[blockIdx.x * block + threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block, block * sizeof(int)>>>(out);
  finish();
}
}  // namespace cluster_past_dynamic_memory
DETECTOR_CASE(cluster_past_dynamic_memory, out_of_bounds);

// The neighbor has filled half of its tile.
namespace cluster_reads_what_nobody_wrote {
__global__ void __cluster_dims__(2) kernel(int* out) {
  __shared__ int tile[block];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < block / 2) tile[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[blockIdx.x * block + threadIdx.x] =
      cluster.map_shared_rank(tile, next_block())[threadIdx.x];  // A
  cluster.sync();
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace cluster_reads_what_nobody_wrote
DETECTOR_CASE(cluster_reads_what_nobody_wrote, uninitialized);

// The cluster's sync() orders accesses to global memory, too.
namespace cluster_exchanges_through_global_memory {
__global__ void __cluster_dims__(cluster_blocks) kernel(int* data, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    data[i] = i + round;
    cg::this_cluster().sync();
    out[i] = data[(i / (cluster_blocks * block)) * cluster_blocks * block +
                  (i + block) % (cluster_blocks * block)];
    cg::this_cluster().sync();
  }
}
void run() {
  const Array<int> data(n);
  const Array<int> out(n);
  kernel<<<grid, block>>>(data, out);
  finish();
}
}  // namespace cluster_exchanges_through_global_memory
DETECTOR_CASE(cluster_exchanges_through_global_memory, none);

// But it does not order blocks of different clusters.
namespace cluster_reads_from_another_one {
__global__ void __cluster_dims__(2) kernel(int* data, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  data[i] = i;  // A
  cg::this_cluster().sync();
  out[i] = data[(i + 2 * block) % n];  // B
}
void run() {
  const Array<int> data(std::vector<int>(n, 0));
  const Array<int> out(n);
  kernel<<<grid, block>>>(data, out);
  finish();
}
}  // namespace cluster_reads_from_another_one
DETECTOR_CASE(cluster_reads_from_another_one, global_race);

// The cluster's sync() is a barrier of the block as well, with and without clusters.
namespace cluster_sync_orders_the_block {
__global__ void kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cg::this_cluster().sync();
  out[i] = tile[block - 1 - threadIdx.x];
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_sync_orders_the_block
DETECTOR_CASE(cluster_sync_orders_the_block, none);

// Two threads of one block write to the same place in its neighbor.
namespace cluster_threads_of_one_block {
__global__ void __cluster_dims__(2) kernel(int* out) {
  __shared__ int tile[block];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  cluster.map_shared_rank(tile, next_block())[threadIdx.x / 2] = threadIdx.x;  // A B
  cluster.sync();
  if (threadIdx.x < block / 2) out[blockIdx.x * block + threadIdx.x] = tile[threadIdx.x];
}
void run() {
  const Array<int> out(n);
  kernel<<<grid, block>>>(out);
  finish();
}
}  // namespace cluster_threads_of_one_block
DETECTOR_CASE(cluster_threads_of_one_block, shared_race);

// The tile is filled by an asynchronous copy, which the block waits for.
namespace cluster_reads_what_was_copied {
__global__ void __cluster_dims__(cluster_blocks) kernel(const int* in, int* out) {
  __shared__ int tile[block];
  const cg::thread_block own = cg::this_thread_block();
  const int i = blockIdx.x * block + threadIdx.x;
  cg::memcpy_async(own, tile, in + blockIdx.x * block, sizeof tile);
  cg::wait(own);
  cg::this_cluster().sync();
  out[i] = cg::this_cluster().map_shared_rank(tile, next_block())[threadIdx.x];
  cg::this_cluster().sync();
}
void run() {
  const Array<int> in(ascending(n));
  const Array<int> out(n);
  kernel<<<grid, block>>>(in, out);
  finish();
}
}  // namespace cluster_reads_what_was_copied
DETECTOR_CASE(cluster_reads_what_was_copied, none);

}  // namespace

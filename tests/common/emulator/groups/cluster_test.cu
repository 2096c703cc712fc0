// Thread-block clusters: blocks that wait for each other and access each other's shared memory.

#include <cooperative_groups.h>

#include "device.h"

namespace cg = cooperative_groups;

namespace {

__global__ void __cluster_dims__(2, 3, 1) describe(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::grid_group grid = cg::this_grid();
  const dim3 blocks = cluster.dim_blocks(), index = cluster.block_index();
  const bool is_right = cluster.num_blocks() == 6 && blocks.x == 2 && blocks.y == 3 &&
                        blocks.z == 1 && index.x == blockIdx.x % 2 && index.y == blockIdx.y % 3 &&
                        index.z == 0 && cluster.block_rank() == index.x + 2 * index.y &&
                        cluster.num_threads() == 6 * 32 &&
                        cluster.thread_rank() == cluster.block_rank() * 32 + threadIdx.x &&
                        cluster.dim_threads().x == 64 && cluster.thread_index().y == index.y &&
                        grid.num_clusters() == 4 && grid.cluster_index().x == blockIdx.x / 2 &&
                        grid.cluster_rank() == blockIdx.x / 2 + 2 * (blockIdx.y / 3) &&
                        __clusterDimIsSpecified() == 1 && __clusterIdx().y == blockIdx.y / 3 &&
                        __clusterGridDimInClusters().x == 2 && __clusterSizeInBlocks() == 6;
  __shared__ int value;
  const bool knows_ranks = cluster.query_shared_rank(&value) == cluster.block_rank() &&
                           cluster.query_shared_rank(cluster.map_shared_rank(&value, 4)) == 4 &&
                           __isClusterShared(&value) && !__isClusterShared(out);
  out[grid.block_rank()] = is_right && knows_ranks ? 1 : 2;
}

// Each block passes its values to the next of its cluster, in static and in dynamic memory.
__global__ void pass_around(int* out, int rounds) {
  __shared__ int tile[32];
  extern __shared__ int more[];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  tile[threadIdx.x] = blockIdx.x * 32 + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    cluster.sync();
    const int theirs = cluster.map_shared_rank(tile, next)[threadIdx.x];
    int* const remote = cluster.map_shared_rank(more, next);
    remote[threadIdx.x] = theirs;
    cluster.sync();
    tile[threadIdx.x] = theirs;
  }
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x] * 1000 + more[threadIdx.x] % 1000;
}

// Arrives early, works on its own memory, and waits.
__global__ void split(int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = blockIdx.x;
  auto token = cg::this_cluster().barrier_arrive();
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += i;
  __syncthreads();
  cg::this_cluster().barrier_wait(std::move(token));
  const int* const first = cg::this_cluster().map_shared_rank(&value, 0);
  out[blockIdx.x * 32 + threadIdx.x] = *first + sum;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

// All count in the memory of one block.
__global__ void count_together(int* out) {
  __shared__ int counter;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) counter = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&counter, 1), 1);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = counter;
}

// Half of each block exits first; the others no longer wait for it.
__global__ void half_exits(int* out) {
  if (threadIdx.x % 2 == 1) return;
  cg::this_cluster().sync();
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}

constexpr int rank_line = __LINE__ + 3;
__global__ void ask_for_rank(int rank) {
  __shared__ int value;
  *cg::this_cluster().map_shared_rank(&value, rank) = 1;
}

constexpr int twice_line = __LINE__ + 3;
__global__ void arrive_twice() {
  cg::this_cluster().barrier_arrive();
  cg::this_cluster().barrier_arrive();
}

constexpr int deadlock_line = __LINE__ + 3;
__global__ void wait_across() {
  if (threadIdx.x < 16) __syncthreads();
  cg::this_cluster().sync();
}

__global__ void alone(unsigned* out) {
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  __shared__ unsigned value;
  if (threadIdx.x == 0) *cluster.map_shared_rank(&value, 0) = 7;
  __syncthreads();
  out[blockIdx.x] = value + cluster.num_blocks() + __clusterDimIsSpecified();
}

cudaLaunchConfig_t configuration(dim3 grid, unsigned threads, cudaLaunchAttribute& cluster,
                                 dim3 extent) {
  cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = extent.x;
  cluster.val.clusterDim.y = extent.y;
  cluster.val.clusterDim.z = extent.z;
  cudaLaunchConfig_t result = {0};
  result.gridDim = grid;
  result.blockDim = threads;
  result.attrs = &cluster;
  result.numAttrs = 1;
  return result;
}

}  // namespace

TEST_CASE("a cluster is a group") {
  DeviceArray<unsigned> out(24);
  describe<<<dim3(4, 6), 32>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(out.values() == std::vector<unsigned>(24, 1));
}

TEST_CASE("blocks of a cluster access each other's shared memory, in every order") {
  const OrderGuard guard;
  constexpr int blocks = 12, size = 4, rounds = 3;
  for (const auto order :
       {tilelab::Order::ascending, tilelab::Order::descending, tilelab::Order::random}) {
    tilelab::emulator::set_order(order, 5);
    DeviceArray<int> out(blocks * 32);
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t launch = configuration(blocks, 32, attribute, size);
    launch.dynamicSmemBytes = 32 * sizeof(int);
    int* data = out;
    REQUIRE(cudaLaunchKernelEx(&launch, pass_around, data, rounds) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto values = out.values();
    for (int i = 0; i < blocks * 32; ++i) {
      const int block = i / 32, first = block / size * size;
      const auto from = [&](int step) {
        return (first + (block - first + step + size) % size) * 32 + i % 32;
      };
      REQUIRE(values[i] == from(rounds) * 1000 + from(rounds - 1) % 1000);
    }
  }
}

TEST_CASE("a cluster's barrier has two halves") {
  DeviceArray<int> out(4 * 32);
  int* data = out;
  cudaLaunchAttribute attribute;
  const cudaLaunchConfig_t launch = configuration(4, 32, attribute, 2);
  void* arguments[] = {&data};
  REQUIRE(cudaLaunchKernelExC(&launch, (const void*)split, arguments) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 4 * 32; ++i) REQUIRE(out.values()[i] == i / 64 * 2 + 45);
}

TEST_CASE("atomic operations reach another block's shared memory") {
  DeviceArray<int> out(4);
  int* data = out;
  cudaLaunchAttribute attribute;
  const cudaLaunchConfig_t launch = configuration(4, 64, attribute, 4);
  REQUIRE(cudaLaunchKernelEx(&launch, count_together, data) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(out.values() == std::vector<int>{0, 4 * 64, 0, 0});
}

TEST_CASE("threads that have exited do not hold the cluster up") {
  DeviceArray<int> out(std::vector<int>(2 * 32, 0));
  int* data = out;
  cudaLaunchAttribute attribute;
  const cudaLaunchConfig_t launch = configuration(2, 32, attribute, 2);
  REQUIRE(cudaLaunchKernelEx(&launch, half_exits, data) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 2 * 32; ++i) REQUIRE(out.values()[i] == (i + 1) % 2);
}

TEST_CASE("without clusters, a block is one of its own") {
  DeviceArray<unsigned> out(3);
  alone<<<3, 32>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(out.values() == std::vector<unsigned>(3, 8));
}

TEST_CASE("wrong uses of a cluster have a sentence with the line") {
  const auto launch = [](auto kernel, auto... arguments) {
    cudaLaunchAttribute attribute;
    const cudaLaunchConfig_t config = configuration(2, 32, attribute, 2);
    return cudaLaunchKernelEx(&config, kernel, arguments...);
  };
  std::string sentence = fault_of(cudaErrorLaunchFailure, [&] { launch(ask_for_rank, 2); });
  REQUIRE_CONTAINS(sentence, "with rank 2, but its cluster has 2 blocks");
  REQUIRE_CONTAINS(sentence, place(__FILE__, rank_line));
  sentence = fault_of(cudaErrorLaunchFailure, [&] { launch(arrive_twice); });
  REQUIRE_CONTAINS(sentence, "has not waited since");
  REQUIRE_CONTAINS(sentence, place(__FILE__, twice_line));
  sentence = fault_of(cudaErrorLaunchFailure, [&] { launch(wait_across); });
  REQUIRE_CONTAINS(sentence, "16 threads (first: (16,0,0)) wait at the cluster's barrier");
  REQUIRE_CONTAINS(sentence, place(__FILE__, deadlock_line));
}

TEST_CASE("a launch with wrong clusters does not start") {
  unsigned* nothing = nullptr;
  describe<<<dim3(3, 6), 32>>>(nothing);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidClusterSize);
  REQUIRE_CONTAINS(std::string(tilelab::emulator::fault_message()), "cannot be divided");
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t launch = configuration(32, 32, attribute, 16);
  REQUIRE(cudaLaunchKernelEx(&launch, alone, nothing) == cudaErrorInvalidClusterSize);
  REQUIRE(cudaFuncSetAttribute(half_exits, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
          cudaSuccess);
  DeviceArray<int> out(32 * 32);
  int* data = out;
  REQUIRE(cudaLaunchKernelEx(&launch, half_exits, data) == cudaSuccess);
  int size = 0, clusters = 0;
  REQUIRE(cudaOccupancyMaxPotentialClusterSize(&size, half_exits, &launch) == cudaSuccess);
  REQUIRE(size == 16);
  REQUIRE(cudaOccupancyMaxPotentialClusterSize(&size, describe, &launch) == cudaSuccess);
  REQUIRE(size == 6);
  REQUIRE(cudaOccupancyMaxActiveClusters(&clusters, half_exits, &launch) == cudaSuccess);
  REQUIRE(clusters == 1);
  launch = configuration(4, 32, attribute, 4);
  REQUIRE(cudaLaunchKernelEx(&launch, describe, nothing) == cudaErrorInvalidClusterSize);
  REQUIRE_CONTAINS(std::string(tilelab::emulator::fault_message()), "__cluster_dims__ says");
  cudaGetLastError();
}

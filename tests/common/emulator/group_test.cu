// Cooperative groups: ranks, exchanges and reductions of blocks, tiles and active lanes.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "device.h"

namespace groups = cooperative_groups;

namespace {

constexpr int threads = 64;

__global__ void tiles(int* rank, int* sum, int* running, int* crossed, int* votes) {
  const auto tile = groups::tiled_partition<8>(groups::this_thread_block());
  const auto me = static_cast<int>(threadIdx.x);
  rank[me] = static_cast<int>(100 * tile.meta_group_rank() + tile.thread_rank());
  sum[me] = groups::reduce(tile, me, groups::plus<int>());
  running[me] = groups::exclusive_scan(tile, 1);
  crossed[me] = tile.shfl_xor(me, 1);
  votes[me] = static_cast<int>(tile.ballot(me % 2));
}

__device__ int sum_of(const groups::thread_group& group, int* room, int value) {
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    room[group.thread_rank()] = value;
    group.sync();
    if (group.thread_rank() < half) value += room[group.thread_rank() + half];
    group.sync();
  }
  return value;
}

__global__ void block_sum(int* out) {
  __shared__ int room[threads];
  const groups::thread_block block = groups::this_thread_block();
  const int sum = sum_of(block, room, 1 + static_cast<int>(block.thread_rank()));
  if (block.thread_rank() == 0) out[block.group_index().x] = sum;
}

// One lane of those that are active adds for all.
__global__ void aggregate(int* counter) {
  if (threadIdx.x % 3 != 0) return;
  const groups::coalesced_group active = groups::coalesced_threads();
  if (active.thread_rank() == 0) atomicAdd(counter, static_cast<int>(active.size()));
}

struct Large {
  double x, y, z;
};

__global__ void exchange(double* out) {
  const auto warp = groups::tiled_partition<32>(groups::this_thread_block());
  const auto me = static_cast<double>(threadIdx.x);
  const Large other = warp.shfl_down(Large{me, 2 * me, 3 * me}, 4);
  out[threadIdx.x] = other.x + other.y + other.z;
}

__global__ void waits_for_all_blocks() { groups::this_grid().sync(); }

}  // namespace

TEST_CASE("a tile knows its ranks, and its threads exchange values") {
  DeviceArray<int> rank(threads), sum(threads), running(threads), crossed(threads), votes(threads);
  tiles<<<1, threads>>>(rank, sum, running, crossed, votes);
  for (int i = 0; i < threads; ++i) {
    const int first = i / 8 * 8;
    INFO(i);
    REQUIRE(rank.values()[i] == 100 * (i / 8) + i % 8);
    REQUIRE(sum.values()[i] == 8 * first + 28);
    REQUIRE(running.values()[i] == i % 8);
    REQUIRE(crossed.values()[i] == (i ^ 1));
    REQUIRE(votes.values()[i] == 0xaa);
  }
}

TEST_CASE("a function can take any group") {
  DeviceArray<int> out(3);
  block_sum<<<3, threads>>>(out);
  REQUIRE(out.values() == std::vector<int>(3, threads * (threads + 1) / 2));
}

TEST_CASE("the lanes that are active form a group") {
  DeviceArray<int> counter(std::vector<int>{0});
  aggregate<<<2, 48>>>(counter);
  REQUIRE(counter.values()[0] == 32);
}

TEST_CASE("a shuffle of a group takes values of any size") {
  DeviceArray<double> out(32);
  exchange<<<1, 32>>>(out);
  for (int i = 0; i < 32; ++i) REQUIRE(out.values()[i] == 6 * (i < 28 ? i + 4 : i));
}

TEST_CASE("blocks cannot wait for each other") {
  const std::string sentence =
      fault_of(cudaErrorLaunchFailure, [] { waits_for_all_blocks<<<2, 1>>>(); });
  REQUIRE(sentence.find("grid_group::sync(), which is not supported") != std::string::npos);
}

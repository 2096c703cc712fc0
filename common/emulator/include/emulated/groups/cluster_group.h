#pragma once

/// The blocks of a cluster as a group.

#include "emulated/clusters.h"
#include "emulated/groups/thread_group.h"

namespace cooperative_groups {

/// All threads of the calling thread's cluster.
class cluster_group : public thread_group {
 public:
  struct arrival_token {};

  static void sync(Site site = Site::current()) {
    tilelab::emulator::arrive_at_cluster_barrier(site);
    tilelab::emulator::wait_at_cluster_barrier(site);
  }
  static arrival_token barrier_arrive(Site site = Site::current()) {
    tilelab::emulator::arrive_at_cluster_barrier(site);
    return {};
  }
  static void barrier_wait(Site site = Site::current()) {
    tilelab::emulator::wait_at_cluster_barrier(site);
  }
  static void barrier_wait(arrival_token&&, Site site = Site::current()) { barrier_wait(site); }

  static unsigned query_shared_rank(const void* address) {
    return __cluster_query_shared_rank(address);
  }
  /// Where the block of this rank has what the calling block has at that address.
  template <class T>
  static T* map_shared_rank(T* address, int rank, Site site = Site::current()) {
    return static_cast<T*>(tilelab::emulator::map_shared_rank(
        const_cast<const void*>(static_cast<const volatile void*>(address)),
        static_cast<unsigned>(rank), site));
  }

  static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  static dim3 dim_blocks() { return __clusterDim(); }
  static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  static dim3 thread_index() {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  static unsigned thread_rank() {
    return block_rank() * tilelab::emulator::threads_in_block() +
           tilelab::emulator::rank_in_block();
  }
  static unsigned num_threads() { return num_blocks() * tilelab::emulator::threads_in_block(); }
  static unsigned size() { return num_threads(); }

 private:
  cluster_group() : thread_group(Kind::cluster) {}
  friend cluster_group this_cluster();
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups

#pragma once

/// Groups of threads that a kernel gets without an argument: the block and the grid.

#include "emulated/barriers.h"
#include "emulated/clusters.h"
#include "emulated/groups/lanes.h"
#include "emulated/site.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// Whether all blocks of the launch run at the same time.
bool is_cooperative_launch();
/// Waits until every thread of the grid has arrived.
void wait_at_grid_barrier(Site site);

}  // namespace tilelab::emulator

namespace cooperative_groups {

using tilelab::emulator::Site;

/// Any group of at most a warp, or a block, a cluster or a grid.
class thread_group {
 public:
  unsigned long long size() const { return num_threads(); }
  unsigned long long num_threads() const;
  unsigned long long thread_rank() const;
  void sync(Site site = Site::current()) const;

 protected:
  enum class Kind : unsigned char { lanes, block, cluster, grid };

  explicit thread_group(Kind kind) : kind_(kind) {}
  /// Lanes of the calling thread's warp.
  thread_group(unsigned mask, unsigned meta_rank, unsigned meta_size, bool is_tiled)
      : kind_(Kind::lanes),
        is_tiled_(is_tiled),
        mask_(mask),
        meta_rank_(meta_rank),
        meta_size_(meta_size) {}

  Kind kind_;
  bool is_tiled_ = false;  ///< Whether the lanes are neighbors, as a tile's are.
  unsigned mask_ = 0;
  unsigned meta_rank_ = 0;
  unsigned meta_size_ = 1;

  friend thread_group tiled_partition(const thread_group& parent, unsigned tile_size);
};

/// All threads of the calling thread's block.
class thread_block : public thread_group {
 public:
  struct arrival_token {};

  static unsigned size() { return num_threads(); }
  static unsigned num_threads() { return tilelab::emulator::threads_in_block(); }
  static unsigned thread_rank() { return tilelab::emulator::rank_in_block(); }
  static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }

  static void sync(Site site = Site::current()) { tilelab::emulator::wait_at_barrier(site); }
  /// As in CUDA's own header, the arrival does nothing yet.
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&, Site site = Site::current()) const { sync(site); }

 private:
  thread_block() : thread_group(Kind::block) {}
  friend thread_block this_thread_block();
};

inline thread_block this_thread_block() { return {}; }

/// All threads of a cooperative launch.
class grid_group : public thread_group {
 public:
  using arrival_token = unsigned;

  static bool is_valid() { return tilelab::emulator::is_cooperative_launch(); }
  static void sync(Site site = Site::current()) { tilelab::emulator::wait_at_grid_barrier(site); }
  /// The threads wait for each other at barrier_wait().
  arrival_token barrier_arrive() const { return 0; }
  void barrier_wait(arrival_token&&, Site site = Site::current()) const { sync(site); }

  static unsigned long long size() { return num_threads(); }
  static unsigned long long num_threads() {
    return num_blocks() * tilelab::emulator::threads_in_block();
  }
  static unsigned long long thread_rank() {
    return block_rank() * tilelab::emulator::threads_in_block() +
           tilelab::emulator::rank_in_block();
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 dim_clusters() { return tilelab::emulator::clusters_in_grid(); }
  static unsigned long long num_clusters() {
    const dim3 clusters = dim_clusters();
    return static_cast<unsigned long long>(clusters.x) * clusters.y * clusters.z;
  }
  static dim3 cluster_index() { return tilelab::emulator::cluster_index(); }
  static unsigned long long cluster_rank() {
    const dim3 index = cluster_index(), clusters = dim_clusters();
    return index.x + static_cast<unsigned long long>(clusters.x) *
                         (index.y + static_cast<unsigned long long>(clusters.y) * index.z);
  }
  static dim3 dim_threads() {
    return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
  }
  static dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static dim3 thread_index() {
    return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
            blockIdx.z * blockDim.z + threadIdx.z};
  }

 private:
  grid_group() : thread_group(Kind::grid) {}
  friend grid_group this_grid();
};

inline grid_group this_grid() { return {}; }

inline unsigned long long thread_group::num_threads() const {
  if (kind_ == Kind::block) return thread_block::num_threads();
  if (kind_ == Kind::cluster) {
    return tilelab::emulator::cluster_block_count() * thread_block::num_threads();
  }
  if (kind_ == Kind::grid) return grid_group::num_threads();
  return static_cast<unsigned long long>(std::popcount(mask_));
}

inline unsigned long long thread_group::thread_rank() const {
  using namespace tilelab::emulator;
  if (kind_ == Kind::block) return thread_block::thread_rank();
  if (kind_ == Kind::cluster) {
    return cluster_block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  if (kind_ == Kind::grid) return grid_group::thread_rank();
  return static_cast<unsigned long long>(std::popcount(mask_ & lanes_below(own_lane())));
}

inline void thread_group::sync(Site site) const {
  if (kind_ == Kind::block) return thread_block::sync(site);
  if (kind_ == Kind::cluster) {
    tilelab::emulator::arrive_at_cluster_barrier(site);
    return tilelab::emulator::wait_at_cluster_barrier(site);
  }
  if (kind_ == Kind::grid) return grid_group::sync(site);
  __syncwarp(mask_, site);
}

template <class Group>
void sync(const Group& group, Site site = Site::current()) {
  group.sync(site);
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.num_threads();
}

}  // namespace cooperative_groups

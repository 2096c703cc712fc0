#pragma once

/// Cooperative groups: blocks, tiles of a warp, and the lanes that are active together.

#include "cuda_runtime.h"
#include "emulated/group_lanes.h"

namespace cooperative_groups {

using tilelab::emulator::GroupLanes;
using tilelab::emulator::shuffle_any;
using tilelab::emulator::Site;

/// Any group whose kind is known when the kernel runs: the block, or lanes of a warp.
class thread_group {
 public:
  void sync(Site site = Site::current()) const {
    if (is_block_) {
      __syncthreads(site);
    } else {
      __syncwarp(lanes_.mask, site);
    }
  }
  unsigned size() const { return is_block_ ? tilelab::emulator::block_threads() : lanes_.count(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return is_block_ ? tilelab::emulator::rank_in_block() : lanes_.rank();
  }
  bool is_valid() const { return true; }

 protected:
  explicit thread_group(GroupLanes lanes) : lanes_(lanes) {}
  thread_group() : is_block_(true) {}

  const GroupLanes& lanes() const { return lanes_; }

 private:
  GroupLanes lanes_{};
  bool is_block_ = false;

  friend thread_group tiled_partition(const thread_group& parent, unsigned size);
};

class thread_block : public thread_group {
 public:
  static void sync(Site site = Site::current()) { __syncthreads(site); }
  static unsigned size() { return tilelab::emulator::block_threads(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return tilelab::emulator::rank_in_block(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }

 private:
  thread_block() = default;
  friend thread_block this_thread_block();
};

inline thread_block this_thread_block() { return {}; }

/// What a group within a warp can do.
class warp_group : public thread_group {
 public:
  template <class T>
  T shfl(T value, unsigned rank, Site site = Site::current()) const {
    return shuffle_any(lanes(), value, lanes().lane_of(rank % lanes().count()), site);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, Site site = Site::current()) const {
    const unsigned rank = lanes().rank();
    return shuffle_any(lanes(), value, lanes().lane_of(rank < delta ? rank : rank - delta), site);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, Site site = Site::current()) const {
    const unsigned rank = lanes().rank();
    const bool is_inside = delta < lanes().count() - rank;
    return shuffle_any(lanes(), value, lanes().lane_of(is_inside ? rank + delta : rank), site);
  }
  int any(int predicate, Site site = Site::current()) const {
    return __any_sync(lanes().mask, predicate, site);
  }
  int all(int predicate, Site site = Site::current()) const {
    return __all_sync(lanes().mask, predicate, site);
  }
  /// One bit per rank.
  unsigned ballot(int predicate, Site site = Site::current()) const {
    return lanes().pack(__ballot_sync(lanes().mask, predicate, site));
  }
  template <class T>
  unsigned match_any(T value, Site site = Site::current()) const {
    return lanes().pack(__match_any_sync(lanes().mask, value, site));
  }
  template <class T>
  unsigned match_all(T value, int& predicate, Site site = Site::current()) const {
    return lanes().pack(__match_all_sync(lanes().mask, value, &predicate, site));
  }

  /// The lanes of the group whose labels are this thread's.
  template <class T>
  GroupLanes lanes_with(T label, Site site = Site::current()) const {
    return {__match_any_sync(lanes().mask, label, site)};
  }

  unsigned meta_group_size() const { return meta_size_; }
  unsigned meta_group_rank() const { return meta_rank_; }

 protected:
  warp_group(GroupLanes lanes, unsigned meta_size, unsigned meta_rank)
      : thread_group(lanes), meta_size_(meta_size), meta_rank_(meta_rank) {}

 private:
  unsigned meta_size_;
  unsigned meta_rank_;
};

/// `Size` lanes that follow each other.
template <unsigned Size, class Parent = void>
class thread_block_tile : public warp_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "the emulator has tiles of 1, 2, 4, 8, 16 and 32 threads");

 public:
  template <class P>
  explicit thread_block_tile(const P& parent)
      : warp_group(GroupLanes::tile(Size), (parent.num_threads() + Size - 1) / Size,
                   parent.thread_rank() / Size) {}
  template <class P>
  thread_block_tile(const thread_block_tile<Size, P>& other) : warp_group(other) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }

  template <class T>
  T shfl_xor(T value, unsigned mask, Site site = Site::current()) const {
    return shuffle_any(lanes(), value, lanes().lane_of((lanes().rank() ^ mask) % Size), site);
  }
};

/// The lanes of a warp that came to a place together.
class coalesced_group : public warp_group {
 public:
  explicit coalesced_group(GroupLanes lanes, unsigned meta_size = 1, unsigned meta_rank = 0)
      : warp_group(lanes, meta_size, meta_rank) {}
};

inline coalesced_group coalesced_threads(Site site = Site::current()) {
  return coalesced_group({__activemask(site)});
}

/// All blocks of a launch. They run one after the other, so they cannot wait for each other.
class grid_group {
 public:
  static bool is_valid() { return false; }
  [[noreturn]] static void sync() {
    tilelab::emulator::trap(
        "calls grid_group::sync(), which is not supported: blocks run one after the other");
  }
  static unsigned long long size() { return num_blocks() * tilelab::emulator::block_threads(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() {
    return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
  }
  static unsigned long long thread_rank() {
    return block_rank() * tilelab::emulator::block_threads() + tilelab::emulator::rank_in_block();
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};

inline grid_group this_grid() { return {}; }

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}

/// Tiles whose size is known when the kernel runs.
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  return thread_group(parent.is_block_ ? GroupLanes::tile(size) : parent.lanes_.tile_of(size));
}

template <class Label>
coalesced_group labeled_partition(const warp_group& parent, Label label,
                                  Site site = Site::current()) {
  return coalesced_group(parent.lanes_with(label, site));
}
inline coalesced_group binary_partition(const warp_group& parent, bool predicate,
                                        Site site = Site::current()) {
  return labeled_partition(parent, static_cast<int>(predicate), site);
}

template <class Group>
void sync(const Group& group, Site site = Site::current()) {
  group.sync(site);
}
inline void sync(const grid_group&) { grid_group::sync(); }
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

#pragma once

/// Lanes of a warp that are active together, or that a partition has chosen.

#include "emulated/groups/thread_group.h"

namespace cooperative_groups {

class coalesced_group : public thread_group {
  using Operation = tilelab::emulator::WarpOperation;

 public:
  unsigned size() const { return num_threads(); }
  unsigned num_threads() const { return static_cast<unsigned>(std::popcount(mask_)); }
  unsigned thread_rank() const {
    using namespace tilelab::emulator;
    return static_cast<unsigned>(std::popcount(mask_ & lanes_below(own_lane())));
  }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

  void sync(Site site = Site::current()) const { __syncwarp(mask_, site); }

  template <class T>
  std::remove_cvref_t<T> shfl(T&& value, int source_rank, Site site = Site::current()) const {
    return from_rank<std::remove_cvref_t<T>>(value, static_cast<unsigned>(source_rank), site);
  }
  template <class T>
  std::remove_cvref_t<T> shfl_up(T&& value, int delta, Site site = Site::current()) const {
    const auto distance = static_cast<unsigned>(delta);
    const unsigned rank = thread_rank();
    return from_rank<std::remove_cvref_t<T>>(value, distance > rank ? rank : rank - distance, site);
  }
  template <class T>
  std::remove_cvref_t<T> shfl_down(T&& value, unsigned delta, Site site = Site::current()) const {
    const unsigned rank = thread_rank();
    return from_rank<std::remove_cvref_t<T>>(value, delta >= size() - rank ? rank : rank + delta,
                                             site);
  }

  int any(int predicate, Site site = Site::current()) const {
    return static_cast<int>(tilelab::emulator::vote(Operation::any, mask_, predicate != 0, site));
  }
  int all(int predicate, Site site = Site::current()) const {
    return static_cast<int>(tilelab::emulator::vote(Operation::all, mask_, predicate != 0, site));
  }
  unsigned ballot(int predicate, Site site = Site::current()) const {
    return packed(tilelab::emulator::vote(Operation::ballot, mask_, predicate != 0, site));
  }
  template <class T>
  unsigned match_any(T value, Site site = Site::current()) const {
    return packed(tilelab::emulator::match(Operation::match_any, mask_, value, site));
  }
  template <class T>
  unsigned match_all(T value, int& predicate, Site site = Site::current()) const {
    const unsigned lanes = tilelab::emulator::match(Operation::match_all, mask_, value, site);
    predicate = lanes != 0;
    return packed(lanes);
  }

 private:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1,
                           bool is_tiled = false)
      : thread_group(mask, meta_rank, meta_size, is_tiled) {}

  unsigned packed(unsigned lanes) const { return tilelab::emulator::pack_lanes(mask_, lanes); }

  template <class T>
  T from_rank(const T& value, unsigned rank, Site site) const {
    const unsigned lane = tilelab::emulator::lane_with_rank(mask_, rank);
    return tilelab::emulator::shuffle_value(Operation::shuffle_index, mask_, value, lane, 32, site);
  }

  /// The neighbors in this group, `tile_size` of them together.
  coalesced_group tile(unsigned tile_size) const;

  friend struct GroupLanes;
  friend coalesced_group coalesced_threads(Site site);
  friend coalesced_group tiled_partition(const coalesced_group& parent, unsigned tile_size);
  friend thread_group tiled_partition(const thread_group& parent, unsigned tile_size);
};

inline coalesced_group coalesced_threads(Site site = Site::current()) {
  return coalesced_group(__activemask(site));
}

inline coalesced_group coalesced_group::tile(unsigned tile_size) const {
  if (size() <= tile_size) return *this;
  const unsigned number = thread_rank() / tile_size;
  unsigned mask = 0;
  unsigned rank = 0;
  for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
    if (rank / tile_size == number) mask |= rest & -rest;
  }
  return coalesced_group(mask, number, (size() + tile_size - 1) / tile_size, is_tiled_);
}

}  // namespace cooperative_groups

#pragma once

/// Groups made of the threads of another group.

#include "emulated/groups/thread_block_tile.h"

namespace cooperative_groups {

/// The lanes behind a group within a warp, for functions that are not the group's own.
struct GroupLanes {
  static coalesced_group group(unsigned mask, unsigned meta_rank, unsigned meta_size) {
    return coalesced_group(mask, meta_rank, meta_size);
  }
  static unsigned mask(const coalesced_group& group) { return group.mask_; }
  template <unsigned size, class Parent>
  static unsigned mask(const thread_block_tile<size, Parent>&) {
    static_assert(size <= 32, "this needs a group within a warp");
    const unsigned first = tilelab::emulator::own_lane() / size * size;
    return tilelab::emulator::every_lane >> (32 - size) << first;
  }
  /// Waits for the other threads of a tile of several warps.
  template <unsigned size>
  static void meet(const BlockTile<size>& tile, unsigned long long value, Site site) {
    tile.meet(value, site);
  }
  template <class T, unsigned size>
  static T value_of(const BlockTile<size>& tile, unsigned rank, T like) {
    return tile.value_of(rank, like);
  }
};

template <unsigned tile_size, class Parent>
thread_block_tile<tile_size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<tile_size, Parent>(parent);
}

inline void check_tile_size(unsigned tile_size) {
  if (tile_size > 32 || !std::has_single_bit(tile_size)) {
    tilelab::emulator::trap("called tiled_partition() with a size that is not 1, 2, 4, ... or 32");
  }
}

inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned tile_size) {
  check_tile_size(tile_size);
  return parent.tile(tile_size);
}

inline thread_group tiled_partition(const thread_group& parent, unsigned tile_size) {
  using namespace tilelab::emulator;
  check_tile_size(tile_size);
  if (parent.kind_ == thread_group::Kind::lanes) {
    return coalesced_group(parent.mask_, 0, 1, parent.is_tiled_).tile(tile_size);
  }
  const unsigned rank = rank_in_block();
  const unsigned first = rank / tile_size * tile_size;
  const unsigned rest = threads_in_block() - first;
  const unsigned size = rest < tile_size ? rest : tile_size;
  return coalesced_group(every_lane >> (32 - size) << first % 32, rank / tile_size,
                         (threads_in_block() + tile_size - 1) / tile_size, true);
}

/// The lanes of the group that have the same predicate.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, Site site = Site::current()) {
  const unsigned mask = GroupLanes::mask(group);
  const unsigned yes =
      tilelab::emulator::vote(tilelab::emulator::WarpOperation::ballot, mask, predicate, site);
  if (yes == 0 || yes == mask) return GroupLanes::group(mask, 0, 1);
  return GroupLanes::group(predicate ? yes : mask & ~yes, predicate, 2);
}

/// The lanes of the group that have the same label.
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label, Site site = Site::current()) {
  static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>,
                "a label must be an integer or a pointer");
  using namespace tilelab::emulator;
  if constexpr (std::is_same_v<Label, bool>) {
    return binary_partition(group, label, site);
  } else {
    const unsigned mask = GroupLanes::mask(group);
    const unsigned same = match(WarpOperation::match_any, mask, label, site);
    const auto leader = static_cast<unsigned>(std::countr_zero(same));
    const unsigned leaders = vote(WarpOperation::ballot, mask, leader == own_lane(), site);
    return GroupLanes::group(same,
                             static_cast<unsigned>(std::popcount(leaders & lanes_below(leader))),
                             static_cast<unsigned>(std::popcount(leaders)));
  }
}

}  // namespace cooperative_groups

#pragma once

/// Reductions: every thread of the group gets the combination of all values.

#include "cooperative_groups.h"
#include "cooperative_groups/scan.h"
#include "emulated/groups/operators.h"

namespace cooperative_groups {

/// In halves, as on a GPU, so that sums round the same way.
template <unsigned size, class T, class Combine>
T reduce_lanes(const WarpTile<size>& tile, T value, Combine&& combine, Site site) {
  for (unsigned distance = size / 2; distance > 0; distance /= 2) {
    value = combine(value, tile.shfl_xor(value, distance, site));
  }
  return value;
}

template <unsigned size, class Parent, class T, class Combine>
requires(size <= 32) auto reduce(const thread_block_tile<size, Parent>& tile, T&& value,
                                 Combine&& combine, Site site = Site::current()) {
  return reduce_lanes(tile, std::remove_cvref_t<T>(value), combine, site);
}

template <unsigned size, class Parent, class T, class Combine>
requires(size > 32) auto reduce(const thread_block_tile<size, Parent>& tile, T&& value,
                                Combine&& combine, Site site = Site::current()) {
  using Value = std::remove_cvref_t<T>;
  constexpr unsigned warps = size / 32;
  const Value own = reduce_lanes(tiled_partition<32>(tile), Value(value), combine, site);
  GroupLanes::meet(tile, tilelab::emulator::to_tile_bits(own), site);
  Value values[warps];
  for (unsigned warp = 0; warp < warps; ++warp) {
    values[warp] = GroupLanes::value_of(tile, warp * 32, own);
  }
  for (unsigned distance = warps / 2; distance > 0; distance /= 2) {
    for (unsigned warp = 0; warp < distance; ++warp) {
      values[warp] = combine(values[warp], values[warp + distance]);
    }
  }
  return values[0];
}

template <class T, class Combine>
auto reduce(const coalesced_group& group, T&& value, Combine&& combine,
            Site site = Site::current()) {
  const auto scan = scan_lanes(group, std::remove_cvref_t<T>(value), combine, site);
  return group.shfl(scan, static_cast<int>(group.num_threads()) - 1, site);
}

/// One thread stores the result.
template <class Group, class T, class Value, class Combine>
void reduce_store_async(const Group& group, T* destination, Value&& value, Combine&& combine,
                        Site site = Site::current()) {
  const auto result = reduce(group, value, combine, site);
  if (group.thread_rank() == 0) *destination = result;
}

}  // namespace cooperative_groups

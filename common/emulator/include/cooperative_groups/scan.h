#pragma once

/// Scans: each thread gets the combination of the values of the threads before it.

#include "cooperative_groups.h"
#include "emulated/groups/operators.h"

namespace cooperative_groups {

/// In steps of 1, 2, 4, ... threads, as on a GPU, so that sums round the same way.
template <class Group, class T, class Combine>
T scan_lanes(const Group& group, T value, Combine&& combine, Site site) {
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    const T other = group.shfl_up(value, distance, site);
    if (group.thread_rank() >= distance) value = combine(value, other);
  }
  return value;
}

/// The same for the warps of a tile: `value` is the last one of each warp.
template <unsigned size, class T, class Combine>
T scan_warps(const BlockTile<size>& tile, T value, unsigned warps, Combine&& combine) {
  constexpr unsigned most_warps = size / 32;
  T values[most_warps];
  for (unsigned warp = 0; warp < most_warps; ++warp) {
    values[warp] = GroupLanes::value_of(tile, warp * 32 + 31, value);
  }
  for (unsigned distance = 1; distance < most_warps; distance *= 2) {
    for (unsigned warp = most_warps; warp-- > distance;) {
      values[warp] = combine(values[warp], values[warp - distance]);
    }
  }
  return values[warps];
}

template <class Group, class T, class Combine>
auto inclusive_scan(const Group& group, T&& value, Combine&& combine, Site site = Site::current()) {
  return scan_lanes(group, std::remove_cvref_t<T>(value), combine, site);
}

template <unsigned size, class Parent, class T, class Combine>
requires(size > 32) auto inclusive_scan(const thread_block_tile<size, Parent>& tile, T&& value,
                                        Combine&& combine, Site site = Site::current()) {
  const auto warp = tiled_partition<32>(tile);
  auto result = scan_lanes(warp, std::remove_cvref_t<T>(value), combine, site);
  GroupLanes::meet(tile, tilelab::emulator::to_tile_bits(result), site);
  const unsigned before = tile.thread_rank() / 32;
  if (before > 0) result = combine(result, scan_warps(tile, result, before - 1, combine));
  return result;
}

/// The first thread gets a value-initialized result.
template <class Group, class T, class Combine>
auto exclusive_scan(const Group& group, T&& value, Combine&& combine, Site site = Site::current()) {
  using Value = std::remove_cvref_t<T>;
  const Value all = inclusive_scan(group, value, combine, site);
  const Value before = group.shfl_up(all, 1, site);
  return group.thread_rank() == 0 ? Value{} : before;
}

template <unsigned size, class Parent, class T, class Combine>
requires(size > 32) auto exclusive_scan(const thread_block_tile<size, Parent>& tile, T&& value,
                                        Combine&& combine, Site site = Site::current()) {
  using Value = std::remove_cvref_t<T>;
  const Value all = inclusive_scan(tile, value, combine, site);
  GroupLanes::meet(tile, tilelab::emulator::to_tile_bits(all), site);
  const unsigned rank = tile.thread_rank();
  return rank == 0 ? Value{} : GroupLanes::value_of(tile, rank - 1, all);
}

template <class Group, class T>
auto inclusive_scan(const Group& group, T&& value, Site site = Site::current()) {
  return inclusive_scan(group, value, plus<std::remove_cvref_t<T>>(), site);
}
template <class Group, class T>
auto exclusive_scan(const Group& group, T&& value, Site site = Site::current()) {
  return exclusive_scan(group, value, plus<std::remove_cvref_t<T>>(), site);
}

}  // namespace cooperative_groups

#pragma once

/// The lanes of a group within a warp, and their ranks.

#include <bit>
#include <cstring>

#include "device_launch_parameters.h"
#include "emulated/warp_functions.h"

namespace tilelab::emulator {

inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

/// The thread's number in its block.
inline unsigned rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// The lanes of a warp that belong to a group. Their ranks follow their order.
struct GroupLanes {
  unsigned mask = 0;

  /// The lanes of this thread's tile of `size` lanes.
  static GroupLanes tile(unsigned size) {
    const unsigned first = rank_in_block() % 32 / size * size;
    return {(size == 32 ? ~0u : (1u << size) - 1) << first};
  }

  unsigned count() const { return static_cast<unsigned>(std::popcount(mask)); }
  unsigned rank() const { return rank_of(rank_in_block() % 32); }
  unsigned rank_of(unsigned lane) const {
    return static_cast<unsigned>(std::popcount(mask & ((1u << lane) - 1)));
  }

  /// The lane with this rank.
  unsigned lane_of(unsigned rank) const {
    unsigned rest = mask;
    for (; rank > 0; --rank) rest &= rest - 1;
    return static_cast<unsigned>(std::countr_zero(rest));
  }

  /// The bits of these lanes, in the order of their ranks.
  unsigned pack(unsigned lanes) const {
    unsigned packed = 0;
    for (unsigned rest = lanes & mask; rest != 0; rest &= rest - 1) {
      packed |= 1u << rank_of(static_cast<unsigned>(std::countr_zero(rest)));
    }
    return packed;
  }

  /// The lanes of this thread's tile of `size` ranks.
  GroupLanes tile_of(unsigned size) const {
    GroupLanes result;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (rank_of(lane) / size == rank() / size) result.mask |= 1u << lane;
    }
    return result;
  }
};

/// The value of another lane of the group, for a type of any size.
template <class T>
T shuffle_any(const GroupLanes& lanes, const T& value, unsigned lane, Site site) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned bits[words] = {};
  std::memcpy(bits, &value, sizeof value);
  for (unsigned& word : bits) {
    word = shuffle(WarpOperation::shuffle_index, lanes.mask, word, lane, 32, site);
  }
  T result;
  std::memcpy(static_cast<void*>(&result), bits, sizeof result);
  return result;
}

}  // namespace tilelab::emulator

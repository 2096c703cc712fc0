#pragma once

/// Lanes, and values of any type that travel between them.

#include <bit>
#include <type_traits>

#include "device_launch_parameters.h"
#include "emulated/warp_functions.h"

namespace tilelab::emulator {

constexpr unsigned every_lane = 0xffffffffu;

/// The calling thread's rank in its block.
inline unsigned rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned own_lane() { return rank_in_block() % 32; }
inline unsigned lanes_below(unsigned lane) { return (1u << lane) - 1; }

/// The lane that has this rank among the lanes of the mask. Without one, the last lane of the warp.
inline unsigned lane_with_rank(unsigned mask, unsigned rank) {
  for (; rank > 0 && mask != 0; --rank) mask &= mask - 1;
  return mask != 0 ? static_cast<unsigned>(std::countr_zero(mask)) : 31;
}

/// The bits of the lanes of the mask, side by side: bit i belongs to the lane with rank i.
inline unsigned pack_lanes(unsigned mask, unsigned lanes) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank) {
    if ((lanes & mask & -mask) != 0) packed |= 1u << rank;
  }
  return packed;
}

/// A shuffle of a value of up to 32 bytes, in words of 4.
template <class T>
T shuffle_value(WarpOperation operation, unsigned mask, T value, unsigned operand, int width,
                Site site) {
  static_assert(sizeof(T) <= 32, "a shuffle exchanges values of at most 32 bytes");
  if constexpr (std::is_scalar_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    return shuffle(operation, mask, value, operand, width, site);
  } else {
    unsigned words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (unsigned& word : words) word = shuffle(operation, mask, word, operand, width, site);
    __builtin_memcpy(&value, words, sizeof(T));
    return value;
  }
}

inline unsigned vote(WarpOperation operation, unsigned mask, bool predicate, Site site) {
  return static_cast<unsigned>(warp_collective({operation, mask, predicate}, site));
}

/// The lanes of the mask that have the same value.
template <class T>
unsigned match(WarpOperation operation, unsigned mask, T value, Site site) {
  static_assert(std::is_scalar_v<T>, "only numbers and pointers can be compared between lanes");
  if constexpr (sizeof(T) < 4) {
    return match(operation, mask, static_cast<int>(value), site);
  } else {
    return static_cast<unsigned>(warp_collective({operation, mask, to_bits(value)}, site));
  }
}

}  // namespace tilelab::emulator

#pragma once

#include <cstdint>

#include "vector_types.h"

namespace tilelab::emulator {

/// How many blocks a grid has, or threads a block.
inline std::uint64_t count_of(const dim3& extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}

/// The index of the block or thread that has a number; x counts fastest.
template <class Number>
uint3 unflatten(Number number, const dim3& extent) {
  const Number plane = static_cast<Number>(extent.x) * extent.y;
  return {static_cast<unsigned>(number % extent.x),
          static_cast<unsigned>(number % plane / extent.x), static_cast<unsigned>(number / plane)};
}

/// Whether the two are the same block or thread.
inline bool is_same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace tilelab::emulator

#pragma once

#include <cstdint>
#include <vector>

#include "estimator/execution/block.h"

namespace tilelab::estimator {

/// Words of memory that changed, from an address on.
struct Change {
  std::uint64_t address = 0;
  std::vector<std::uint32_t> words;
};

/// Makes the change in memory.
void store(Memory& memory, const Change& change);

/// What some blocks of a launch did elsewhere.
struct Trial {
  std::vector<std::uint64_t> blocks;  ///< Their numbers, with x running fastest, in their order.
  std::vector<Change> changes;
};

/// How alike two executions of the same blocks are.
struct Comparison {
  std::uint64_t words = 0;  ///< Words of arrays that changed in one of the two.
  std::uint64_t equal = 0;  ///< Those of them that are the same, floats up to rounding.
};

/// Executes these blocks in memory, to their ends, and compares what they change in arrays. Throws
/// Unknown if they do not end, or take too long.
Comparison compare(const Work& work, const Trial& trial);

}  // namespace tilelab::estimator

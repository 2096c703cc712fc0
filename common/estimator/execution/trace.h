#pragma once

#include <cstdint>
#include <vector>

namespace tilelab::estimator {

constexpr std::uint64_t line_bytes = 128;

/// A line of 128 bytes of global memory, and which of its four sectors an access touches.
struct Line {
  std::uint64_t number = 0;
  std::uint8_t sectors = 0;  ///< A bit for each sector.
  std::uint8_t whole = 0;    ///< The sectors of which the access touches every byte.
  bool is_shared = false;    ///< Whether an earlier block touches the line too.
};

/// The line of local memory that has a word of each lane of a warp. It lies above all others, and
/// those of all blocks have the same numbers.
/// @param warp  the number of the warp in its block
/// @param word  a fourth of the address
constexpr std::uint64_t local_line(std::uint32_t warp, std::uint32_t word) {
  return std::uint64_t{1} << 50U | std::uint64_t{warp} << 32U | word;
}

/// One instruction that a warp executed.
struct Step {
  std::int32_t instruction = 0;
  std::uint16_t passes = 0;    ///< The passes of an access to shared memory, or of a match.
  std::uint16_t distinct = 0;  ///< How many different words an atomic access touches.
  std::uint16_t lanes = 0;     ///< How many lanes were active.
  std::uint16_t lines = 0;     ///< How many of the trace's lines are this step's.
  std::uint32_t first_line = 0;
  bool is_unknown = false;  ///< Whether nobody knows where in global memory a lane accesses.
};

/// What a warp executed, in order.
struct Trace {
  std::vector<Step> steps;
  std::vector<Line> lines;
  std::uint64_t executed = 0;  ///< How many steps there were, with those that were not kept.
  std::uint64_t apart = 0;     ///< Those of them that only a part of the warp's threads executed.
  std::uint64_t different_constants = 0;  ///< Loads of which lanes read different constants.
  std::uint64_t unknown_branches = 0;     ///< The branches that depend on values that nobody knows.
  /// How often each instruction was executed beyond what was kept.
  std::vector<std::uint32_t> later{};
};

/// The traces of a block's warps.
using BlockTrace = std::vector<Trace>;

}  // namespace tilelab::estimator

#pragma once

#include <cstdint>
#include <vector>

namespace tilelab::estimator {

/// A line of 128 bytes of global memory, and which of its four sectors an access touches.
struct Line {
  std::uint64_t number = 0;
  std::uint8_t sectors = 0;
  std::uint8_t whole = 0;   ///< sectors that a store writes from end to end
  bool is_shared = false;   ///< whether an earlier block touches it too
};

/// One instruction that a warp executed.
struct Step {
  std::int32_t instruction = 0;
  std::uint16_t passes = 0;  ///< of a shared access, or lanes that share the busiest word of an atomic
  std::uint16_t lines = 0;   ///< how many of the trace's lines are this step's
  std::uint32_t first_line = 0;
  std::uint16_t distinct = 0;  ///< words that an atomic access touches
  std::uint16_t lanes = 0;
};

/// What a warp executed, in order.
struct Trace {
  std::vector<Step> steps;
  std::vector<Line> lines;
  std::uint64_t executed = 0;  ///< also those beyond what was kept
  std::uint64_t guessed = 0;   ///< branches that depend on values that nobody knows
  std::vector<std::uint32_t> later{};  ///< how often each instruction was executed beyond what was kept
  bool is_complete = false;
};

}  // namespace tilelab::estimator

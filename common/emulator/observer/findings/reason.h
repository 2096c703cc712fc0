#pragma once

namespace tilelab::emulator {

/// Why nothing orders two accesses, if there is more to say than that.
struct Reason {
  /// What somebody has to fix. Of the reasons for two lines, the latest of these is told: it
  /// explains the others, or they show only after it is fixed.
  enum class Lack {
    unknown,
    fence,
    lanes_before,
    lanes_after,
    barrier_before,
    barrier_after,
    scope
  };

  Lack lack = Lack::unknown;
  const char* sentence = "";

  /// Whether a thread does not wait for another one of its block.
  bool is_of_later_thread() const {
    return lack == Lack::lanes_after || lack == Lack::barrier_after;
  }
  bool is_known() const { return lack != Lack::unknown; }
};

}  // namespace tilelab::emulator

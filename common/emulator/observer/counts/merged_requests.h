#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "costs/request_cost.h"
#include "emulator/observer/counts/access_pattern.h"
#include "emulator/observer/events/warp_access.h"

namespace tilelab::emulator {

/// What a run of accesses to shared memory costs if one instruction makes as many as possible.
struct MergedCost {
  unsigned requests = 0;
  unsigned wavefronts = 0;
  unsigned ideal = 0;
};

/// Finds accesses that nvcc may merge: the lanes of a warp touch neighboring words one after the
/// other, aligned so that one instruction of 8 or 16 bytes could do it. Whether nvcc does depends
/// on what it can prove (an unrolled loop, a known alignment), so the machine's counts lie between
/// those of the source and those with all merged.
class MergedRequests {
 public:
  /// Is told what a run costs, and the number that came with its first access.
  using Sink = std::function<void(std::size_t number, const MergedCost& cost)>;

  explicit MergedRequests(Sink sink) : sink_(std::move(sink)) {}

  /// The next load or store of a warp, a number that tells where it belongs, and what it costs.
  void take(const WarpAccess& access, std::size_t number, const costs::WavefrontCost& cost);
  /// Nothing that follows can be merged with what came before.
  void end();

 private:
  /// The instruction with the most bytes.
  static constexpr unsigned widest = 16;
  /// More runs than this at the same time would need more registers than a thread has.
  static constexpr std::size_t most_runs = 8;

  /// Accesses of the same lanes to neighboring words, within aligned 16 bytes.
  struct Run {
    WarpAccess first;
    std::size_t number;
    unsigned bytes;  ///< Of all accesses so far.
    MergedCost alone;
  };

  /// The last access of a size, and what it cost.
  struct KnownCost {
    AccessPattern pattern;
    costs::WavefrontCost cost{};
  };

  Run* run_before(const WarpAccess& access);
  void finish(std::size_t index);
  costs::WavefrontCost cost_of(const WarpAccess& access);

  Sink sink_;
  std::array<Run, most_runs> runs_;
  std::size_t count_ = 0;
  std::array<KnownCost, widest + 1> known_loads_;  // by bytes
  std::array<KnownCost, widest + 1> known_stores_;
};

}  // namespace tilelab::emulator

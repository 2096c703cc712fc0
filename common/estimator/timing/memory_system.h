#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "estimator/code/instruction.h"
#include "estimator/execution/trace.h"
#include "estimator/timing/gpu.h"
#include "estimator/timing/l2_cache.h"
#include "estimator/timing/misses.h"

namespace tilelab::estimator {

/// What one SM had of the L2 cache and of DRAM.
struct Traffic {
  double l2_busy = 0;            ///< The cycles that its share of the L2 cache worked.
  double atomics_busy = 0;       ///< The cycles that atomics took their turns in it.
  double scattered_atomics = 0;  ///< Those of them with few words in each of several lines.
  double dram_busy = 0;          ///< The cycles that its share of DRAM worked.
  double l2_sectors = 0;         ///< The sectors of 32 bytes that it loaded and stored.
  double dram_sectors = 0;       ///< Those of them that went to DRAM.
  std::map<std::int32_t, double> atomics_of;  ///< The part of each instruction in these turns.
  double load_bytes = 0;  ///< The bytes that it loaded, times the cycles until they were there.

  /// The cycles that the busier of the two worked.
  double busiest() const { return std::max(dram_busy, l2_busy + atomics_busy); }
};

/// The L2 cache and DRAM, as one of several SMs sees them that all do the same: it has
/// an equal share of their throughput. Times are in cycles.
class MemorySystem {
 public:
  /// @param neighbors  how many SMs are at work
  MemorySystem(const Gpu& gpu, const Misses& misses, double neighbors);

  /// Loads sectors of a line.
  /// @param begin  when they are asked for
  /// @param block  which block of the SM wants them
  /// @return when they have arrived
  double load(double begin, const Line& line, std::uint8_t sectors, int block);

  void store(double begin, const Line& line, int block);

  /// @return when the old values have arrived
  double atomic(double begin, const Instruction& one, const Step& step, const Line& line);

  /// Until then the queue of requests is full.
  double queue_full_until() const { return l2_free_ - gpu_.l2_queue; }

  /// When the last store or atomic is through.
  double last_store() const { return last_store_; }

  const Traffic& traffic() const { return traffic_; }

 private:
  double atomics_per_second(const Instruction& one, const Step& step, const Line& line) const;
  double use_l2(double begin, double cycles);
  void use_dram(double begin, double cycles, double sectors);

  const Gpu& gpu_;
  const Misses& misses_;
  double hertz_;
  double neighbors_;
  // What a sector takes.
  double l2_cycles_;
  double read_cycles_;
  double write_cycles_;
  double partial_cycles_;

  double l2_free_ = 0;
  double dram_free_ = 0;
  double dram_load_ = 0;  ///< the share of the time that DRAM was busy lately
  double dram_load_at_ = 0;
  double last_store_ = 0;
  L2Cache l2_;
  // The parts of a sector that still have to come from DRAM and to go there.
  double owed_reads_ = 0;
  double owed_writes_ = 0;
  Traffic traffic_;
};

}  // namespace tilelab::estimator

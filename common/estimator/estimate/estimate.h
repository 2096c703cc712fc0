#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "estimator/estimate/comparison.h"
#include "estimator/estimate/sample.h"
#include "estimator/execution/block.h"
#include "estimator/execution/memory.h"
#include "estimator/timing/gpu.h"
#include "estimator/timing/sm.h"

namespace tilelab::estimator {

/// An instruction, and what has to do with it: a share of all that warps wait for, and of the turns
/// that atomics take.
struct Waited {
  std::uint64_t instruction = 0;  ///< Its place in the kernel's code.
  double waits = 0;
  double atomics = 0;
};

/// How a launch would do on a GPU.
struct Estimate {
  std::string kernel;
  double cycles = 0;                     ///< From the first block to the end, of an SM.
  double instructions = 0;               ///< Of all warps.
  double resident_blocks = 0;            ///< How many blocks an SM holds at once.
  double blocks_per_multiprocessor = 0;  ///< How many it has to run in all.
  double share_simulated = 1;            ///< Which share of their instructions was.
  // The share of time that a unit works.
  double issue_busy = 0;  ///< of each sub-partition, which issues an instruction per cycle
  double l1_busy = 0;     ///< of the L1 cache and shared memory
  double l2_busy = 0;
  double atomics_busy = 0;  ///< of the L2 cache, with atomics that take turns
  double dram_busy = 0;
  PerStall stalls{};            ///< How long warps are in each state, in cycles per instruction.
  double dram_bytes = 0;        ///< What the whole GPU moves from and to DRAM.
  double l2_bytes = 0;          ///< What it moves from and to the L2 cache.
  double bytes_in_flight = 0;   ///< What an SM waits for on average, of global loads.
  double unknown_branches = 0;  ///< The share of branches that depend on values that nobody knows.
  double unlike = 0;            ///< How much what was simulated differs from the rest, 0 to 1.
  double spread = 0;            ///< How far off the cycles may be, as a share of them.
  std::vector<Waited> waited;   ///< The instructions that matter for this.
  std::vector<std::uint64_t> blocks;  ///< The numbers of those that were simulated.
};

/// Estimates the launches of a program in their order.
class Estimator {
 public:
  Estimator(const Gpu& gpu, std::vector<Array> arrays) : gpu_(gpu), memory_(std::move(arrays)) {}

  /// The next launch finds this memory. Arrays at the same place are the same.
  void set_memory(Memory memory);
  /// The host stores this before the next launch.
  void store(const Change& change) { estimator::store(memory_, change); }

  /// Throws Unknown if the kernel does something that the estimate does not know.
  Estimate next(const Function& function, const Launch& launch, const Kernel& kernel);

 private:
  void remember_outputs(const Sample& sample, const Function& function);

  Gpu gpu_;
  Memory memory_;
  std::set<int> warm_;  ///< arrays that are in the L2 cache
};

}  // namespace tilelab::estimator

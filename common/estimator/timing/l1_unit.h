#pragma once

#include "estimator/code/instruction.h"
#include "estimator/execution/trace.h"
#include "estimator/timing/cache.h"
#include "estimator/timing/gpu.h"
#include "estimator/timing/memory_system.h"

namespace tilelab::estimator {

/// What became of an instruction, in cycles.
struct Served {
  double read = 0;       ///< When its operands have been read.
  double done = 0;       ///< When its result is there.
  double copied = 0;     ///< When what it copies to shared memory is there.
  bool is_long = false;  ///< Whether it waits for global memory.
};

/// The unit of an SM that serves accesses to memory, and moves values between lanes.
/// The four sub-partitions share it.
class L1Unit {
 public:
  /// @param cache_bytes  what shared memory leaves for the cache
  L1Unit(const Gpu& gpu, double cache_bytes, MemorySystem& memory);

  /// Serves one step of a warp.
  /// @param block  which block of the SM the warp belongs to
  Served serve(double now, const Instruction& one, const Trace& trace, const Step& step, int block);

  /// Until then its queue is full.
  double queue_full_until() const { return free_ - gpu_.l1_queue; }

  /// For how many cycles it worked.
  double busy() const { return busy_; }

 private:
  double serve_nearby(double begin, const Instruction& one, const Step& step, double& cycles) const;
  Served serve_global(double begin, const Instruction& one, const Trace& trace, const Step& step,
                      int block, double& cycles);
  double load(double begin, const Line& line, int block);
  void store(double begin, const Line& line, int block);

  const Gpu& gpu_;
  Cache cache_;
  MemorySystem& memory_;
  double free_ = 0;
  double store_free_ = 0;  ///< when the stores so far have left
  double busy_ = 0;
};

}  // namespace tilelab::estimator

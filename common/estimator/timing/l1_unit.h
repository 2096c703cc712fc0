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
  /// @param resident     how many blocks the SM runs at once
  L1Unit(const Gpu& gpu, double cache_bytes, int resident, MemorySystem& memory);

  /// Serves one step of a warp.
  /// @param block  which block of the SM the warp belongs to
  Served serve(double now, const Instruction& one, const Trace& trace, const Step& step, int block);

  /// Until then its queue is full.
  double queue_full_until() const { return free_ - gpu_.l1_queue; }

  /// For how many cycles it worked.
  double busy() const { return busy_; }

  /// Which share of the lines of local memory that were loaded had left the cache.
  double local_misses() const { return local_loads_ == 0 ? 0 : local_misses_ / local_loads_; }

  /// How many sectors of local memory were stored.
  double local_stores() const { return local_stores_; }

 private:
  double serve_nearby(double begin, const Instruction& one, const Step& step, double& cycles) const;
  Served serve_global(double begin, const Instruction& one, const Trace& trace, const Step& step,
                      int block, double& cycles);
  double serve_local(double begin, const Instruction& one, const Trace& trace, const Step& step,
                     int block, double& cycles);
  double load(double begin, const Line& line, int block);
  void store(double begin, const Line& line, int block);

  const Gpu& gpu_;
  Cache cache_;
  int resident_;
  MemorySystem& memory_;
  double free_ = 0;
  double store_free_ = 0;  ///< when the stores so far have left
  double busy_ = 0;
  // Lines of local memory.
  double local_loads_ = 0;
  double local_misses_ = 0;
  double local_stores_ = 0;  ///< sectors
};

}  // namespace tilelab::estimator

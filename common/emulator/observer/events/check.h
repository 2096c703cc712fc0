#pragma once

#include "emulator/observer/events/warp_access.h"
#include "report/report.h"

namespace tilelab::emulator {

/// One analysis of what kernels do. The dispatcher tells every check what the warps of the traced
/// blocks did, and each check adds its results to the report or to the findings.
class Check {
 public:
  virtual void launch_begins() {}
  /// The block `blockIdx` begins, and it is traced.
  virtual void block_begins() {}
  /// All threads of the block have reached the barrier, and take() was called for all that they
  /// did.
  virtual void barrier_opens() {}
  /// Another block runs next.
  virtual void block_parks() {}
  /// All blocks have met: what they did comes before what they will do.
  virtual void grid_barrier_opens() {}
  /// The lanes of a warp made an access together, in one memory space.
  virtual void take(const WarpAccess& access) = 0;
  virtual void launch_ends(report::LaunchReport&) {}
  /// Whether it wants what each thread did alone, in blocks with asynchronous copies.
  virtual bool looks_at_threads() const { return false; }

 protected:
  ~Check() = default;
};

}  // namespace tilelab::emulator

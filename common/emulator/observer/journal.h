#pragma once

#include "emulator/runtime/listener.h"
#include "report/finding.h"

namespace tilelab::emulator {

/// Hears of launches and findings when they happen: the process may end before its report is taken.
class Journal {
 public:
  virtual void launch_begins(const KernelCall& kernel,
                             const LaunchConfiguration& configuration) = 0;
  virtual void launch_ends() = 0;
  /// Something is wrong that was not found before in this launch, or outside of launches.
  virtual void found(const report::Finding& finding) = 0;
  /// What was found last is part of what is found next.
  virtual void withdrawn() = 0;

 protected:
  ~Journal() = default;
};

}  // namespace tilelab::emulator

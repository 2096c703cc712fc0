#pragma once

#include "emulated/kernel_call.h"

namespace tilelab::emulator {

/// Hears of each launch before its kernel runs. Device memory is open meanwhile.
class LaunchListener {
 public:
  virtual void launch_begins(const KernelCall& kernel,
                             const LaunchConfiguration& configuration) = 0;

 protected:
  ~LaunchListener() = default;
};

/// Null if nobody listens.
inline LaunchListener* launch_listener = nullptr;

}  // namespace tilelab::emulator

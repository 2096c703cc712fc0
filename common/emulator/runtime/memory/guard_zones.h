#pragma once

#include <cstddef>

#include "emulator/runtime/memory/device_memory.h"

/// What is around the blocks of device memory after guard_device_memory(), while a kernel runs that
/// nobody watches. Behind a
/// block is a pattern up to the end of its last page. In the first launches after an allocation
/// there is a page on both sides that cannot be accessed: the element before the first traps, and
/// the one behind the last traps where the block fills its pages. A store to it is found in any
/// case.
namespace tilelab::emulator {

class GuardZones {
 public:
  /// Closes the pages, until the arena is closed as a whole.
  explicit GuardZones(const DeviceMemory& memory);

  /// Makes it a fault if the kernel has written behind a block.
  void check(const char* kernel) const;

 private:
  const DeviceMemory& memory_;
  bool are_on_;
};

}  // namespace tilelab::emulator

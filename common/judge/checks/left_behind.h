#pragma once

#include <cstdint>

#include "contract/failed_call.h"
#include "judge/calls/arguments.h"

namespace tilelab::judge {

/// What calls of a function left behind for those after them.
class LeftBehind {
 public:
  void add(const FailedCall& call);

  /// Fails the test if each of many calls left something. A few may keep it for later calls.
  void assert_few(const Function& function) const;

 private:
  std::uint32_t calls_ = 0, streams_ = 0, events_ = 0, pinned_ = 0;
};

}  // namespace tilelab::judge

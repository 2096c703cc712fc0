#include "judge/calls/or_fail.h"

#include <string>

namespace tilelab::judge {
namespace {

std::string current_test() { return std::string(Catch::getResultCapture().getCurrentTestName()); }

/// The last test of which a call failed after a long time.
std::string& test_with_long_failure() {
  static std::string name;
  return name;
}

}  // namespace

void fail_after_long_failure() {
  if (test_with_long_failure() != current_test()) return;
  FAIL("This was not tried any more: an earlier call of this test took its time and failed.");
}

void note_long_failure() { test_with_long_failure() = current_test(); }

}  // namespace tilelab::judge

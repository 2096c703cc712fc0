#include "judge/calls/or_fail.h"

#include <cstdlib>
#include <iostream>

#include "judge/catch.h"
#include "judge/worker/workers.h"
#include "judge/write_event.h"

namespace tilelab::judge {
namespace {

std::string current_test() { return std::string(Catch::getResultCapture().getCurrentTestName()); }

/// The last test in which a call failed after a long time.
std::string& test_with_long_failure() {
  static std::string name;
  return name;
}

}  // namespace

void give_up(const std::string& sentence) {
  stop_workers();
  std::cerr << "judge: " << sentence << std::endl;
  write_event(schema::InfrastructureError{sentence});
  std::_Exit(3);
}

void fail_after_long_failure() {
  if (test_with_long_failure() != current_test()) return;
  fail_and_stop({"Skipped: an earlier call of this test took too long and failed.", "skipped"});
}

void note_long_failure() { test_with_long_failure() = current_test(); }

}  // namespace tilelab::judge

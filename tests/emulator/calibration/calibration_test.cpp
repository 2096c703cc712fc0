// The cases that the emulator's counts are calibrated with run on it, and are right.

#include <cuda_runtime.h>

#include <set>

#include "cases.h"
#include "judge/catch.h"

using tilelab::calibration::cases;

TEST_CASE("every calibration case computes what it should") {
  for (const auto& [name, run, differs] : cases()) {
    INFO(name);
    CHECK(run());
    REQUIRE(cudaDeviceReset() == cudaSuccess);
  }
}

TEST_CASE("calibration cases have names of their own, and those that differ say so") {
  std::set<std::string> names;
  for (const auto& [name, run, differs] : cases()) {
    INFO(name);
    CHECK(names.insert(name).second);
    CHECK((name.rfind("differs_", 0) == 0) == !differs.empty());
  }
  REQUIRE(names.size() > 20);
  REQUIRE(names.count("lab_diff_baseline_diff") == 1);
}

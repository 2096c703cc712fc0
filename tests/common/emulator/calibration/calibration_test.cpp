// The emulator's counts, compared with those of a GPU.

#include <algorithm>
#include <set>

#include "cases.h"
#include "comparison.h"
#include "exceptions.h"
#include "judge/catch.h"

using namespace tilelab::calibration;

namespace {

const Measured& measured() {
  static const Measured result(MEASURED_FILE);
  return result;
}

const Outcome& outcome() {
  static const Outcome result = compare(cases(), measured());
  return result;
}

std::string text_of(const Comparison& each) {
  return each.case_name + ", " + each.metric + ": " + std::to_string(each.emulated) +
         ", on a GPU " + std::to_string(each.measured);
}

/// Whether one of the comparisons for which the predicate holds is out of the band.
template <class Fits>
bool some_differ(Fits fits) {
  return std::any_of(outcome().comparisons.begin(), outcome().comparisons.end(),
                     [&](const Comparison& each) { return fits(each) && !each.is_close(); });
}

}  // namespace

TEST_CASE("every calibration case computes what it should") {
  for (const std::string& name : outcome().wrong) FAIL_CHECK(name);
}

TEST_CASE("the counts of every case are within two percent of a GPU's") {
  REQUIRE(outcome().comparisons.size() > 1000);
  for (const Comparison& each : outcome().comparisons) {
    if (each.differs.empty() && !each.is_close()) FAIL_CHECK(text_of(each));
  }
}

TEST_CASE("cases that are named as different are different") {
  for (const Case& each : cases()) {
    if (each.differs.empty()) continue;
    INFO(each.name);
    CHECK(some_differ([&](const Comparison& c) { return c.case_name == each.name; }));
  }
  for (const Exception& each : exceptions()) {
    INFO(each.case_name << ", " << each.metric);
    CHECK(some_differ([&](const Comparison& c) {
      return c.case_name == each.case_name && c.metric == each.metric;
    }));
  }
}

TEST_CASE("the GPU's counts belong to cases that exist") {
  std::set<std::string> names;
  for (const Case& each : cases()) {
    INFO(each.name);
    CHECK(names.insert(each.name).second);
    CHECK((each.name.rfind("differs_", 0) == 0) == !each.differs.empty());
  }
  for (const std::string& name : measured().case_names()) {
    INFO(name);
    CHECK(names.count(name) == 1);
  }
  // Only a new lab may wait for the next measurement.
  for (const std::string& name : outcome().not_measured) {
    INFO(name << " has no counts yet: run measure.py where there is a GPU");
    CHECK(name.rfind("lab_", 0) == 0);
  }
}

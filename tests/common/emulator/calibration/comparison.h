#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases.h"
#include "measured.h"

namespace tilelab::calibration {

/// One case, one metric, both counts; where both are 0 there is nothing to compare.
struct Comparison {
  std::string case_name;
  std::string metric;
  std::uint64_t measured;
  std::uint64_t emulated;
  std::string differs;  ///< why nvcc issues other accesses; "" where it does not

  bool is_exact() const { return measured == emulated; }
  bool is_close() const;
};

struct Outcome {
  std::vector<Comparison> comparisons;
  std::vector<std::string> wrong;         ///< cases whose results are wrong, or that failed
  std::vector<std::string> not_measured;  ///< cases that the GPU was not asked about: left out
};

/// Runs the cases under observation.
Outcome compare(const std::vector<Case>& cases, const Measured& measured);

}  // namespace tilelab::calibration

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases.h"
#include "measured.h"

namespace tilelab::calibration {

/// Both counts of one metric of one case. If both are 0, there is nothing to compare.
struct Comparison {
  std::string case_name;
  std::string metric;
  std::uint64_t measured;
  std::uint64_t emulated;
  std::string differs;  ///< Why nvcc issues other accesses; "" if it does not.

  bool is_exact() const { return measured == emulated; }
  bool is_close() const;
};

struct Outcome {
  std::vector<Comparison> comparisons;
  std::vector<std::string> wrong;         ///< Cases whose results are wrong, or that failed.
  std::vector<std::string> not_measured;  ///< Cases that were not measured on the GPU.
};

/// Runs the cases under observation.
Outcome compare(const std::vector<Case>& cases, const Measured& measured);

}  // namespace tilelab::calibration

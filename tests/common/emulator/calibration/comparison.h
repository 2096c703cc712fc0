#pragma once

#include <algorithm>
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
  std::uint64_t merged;  ///< The same if accesses to neighboring words are one wherever they can.
  std::string differs;   ///< Why nvcc issues other accesses; "" if it does not.

  /// nvcc decides which accesses are merged, so any count between the two is right.
  std::uint64_t least() const { return std::min(emulated, merged); }
  std::uint64_t most() const { return std::max(emulated, merged); }
  bool is_exact() const { return least() <= measured && measured <= most(); }
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

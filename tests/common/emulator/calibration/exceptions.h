#pragma once

#include <string>
#include <vector>

#include "cases.h"

namespace tilelab::calibration {

/// A count in which nvcc's kernel and the host compiler's legitimately differ.
struct Exception {
  std::string case_name;
  std::string metric;
  std::string reason;
};

/// All such counts, besides the cases that differ on purpose (Case::differs).
const std::vector<Exception>& exceptions();

/// Why the counts of a metric may differ; "" if they must agree.
std::string reason_to_differ(const Case& a_case, const std::string& metric);

}  // namespace tilelab::calibration

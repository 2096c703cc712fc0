#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measured.h"
#include "report/report.h"

/// What both a GPU's counters and the emulator count.
namespace tilelab::calibration {

struct Metric {
  std::string name;
  /// The GPU's counters, whose sum counts.
  std::vector<std::string> counters;
  /// The counter that is subtracted from the sum, usually "".
  std::string without;
  std::uint64_t (*emulated)(const report::MemoryCounts&);
  /// The same count if accesses to neighboring words are one wherever they can; null if it has
  /// none.
  std::uint64_t (*merged)(const report::MemoryCounts&) = nullptr;

  std::uint64_t measured(const Measured& counts, const std::string& case_name) const;
};

const std::vector<Metric>& metrics();

}  // namespace tilelab::calibration

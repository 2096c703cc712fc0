#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "report/report.h"

namespace tilelab::emulator {

/// Puts launches that are alike together: those of one kernel, with grids and blocks of one size. A
/// program can launch a kernel a million times, and nobody reads so many reports.
class MergedLaunches {
 public:
  void add(std::vector<report::LaunchReport>& launches, report::LaunchReport launch);

 private:
  std::map<std::string, std::size_t> numbers_;  ///< Of the launches, by what makes them alike.
};

}  // namespace tilelab::emulator

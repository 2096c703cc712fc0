#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "report/report.h"

namespace tilelab::emulator {

/// What launches of one kernel must share to be put together.
enum class Alike {
  grids_and_blocks,  ///< The sizes of their grids and blocks, and of the dynamic array.
  blocks             ///< The size of their blocks.
};

/// Puts launches that are alike together. A program can launch a kernel a million times, and nobody
/// reads this many reports. What they need not share is that of the first.
class MergedLaunches {
 public:
  explicit MergedLaunches(Alike alike = Alike::grids_and_blocks) : alike_(alike) {}

  void add(std::vector<report::LaunchReport>& launches, report::LaunchReport launch);

 private:
  Alike alike_;
  std::map<std::string, std::size_t> numbers_;  ///< Of the launches, by what makes them alike.
};

/// Makes a report as short as it can be with all that was counted and found: it has one launch for
/// each kernel and size of blocks. What each of them passed to the kernel is left out.
void shorten(report::Report& report);

}  // namespace tilelab::emulator

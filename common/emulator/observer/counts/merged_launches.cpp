#include "emulator/observer/counts/merged_launches.h"

#include <algorithm>
#include <utility>

namespace tilelab::emulator {

using report::Finding;
using report::LaunchReport;
using report::LineCounts;

namespace {

constexpr std::size_t most_arguments = 1000;  // of launches that are alike

std::string text_of(const report::Index3& size) {
  return ' ' + std::to_string(size.x) + ' ' + std::to_string(size.y) + ' ' + std::to_string(size.z);
}

std::string key_of(const LaunchReport& launch, Alike alike) {
  const std::string key =
      launch.kernel + ' ' + std::to_string(launch.function) + text_of(launch.block);
  if (alike == Alike::blocks) return key;
  return key + text_of(launch.grid) + ' ' + std::to_string(launch.dynamic_shared_bytes);
}

void add_lines(std::vector<LineCounts>& to, const std::vector<LineCounts>& lines) {
  for (const LineCounts& line : lines) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const LineCounts& one) {
      return one.place.code == line.place.code;
    });
    if (known == to.end()) {
      to.push_back(line);
    } else {
      known->counts += line.counts;
    }
  }
}

/// What is not in both is not sure.
void keep_sure(std::vector<report::BarrierUse>& to, const std::vector<report::BarrierUse>& others) {
  std::vector<report::BarrierUse> made;
  for (const report::BarrierUse& one : to) {
    const auto known = std::find_if(others.begin(), others.end(), [&](const auto& it) {
      return it.place.file == one.place.file && it.place.line == one.place.line;
    });
    if (known == others.end()) continue;
    made.push_back({one.place, one.times + known->times, one.idle + known->idle});
  }
  to = std::move(made);
}

/// The part that neither uses.
void keep_unused(std::vector<report::UnusedTail>& to,
                 const std::vector<report::UnusedTail>& others) {
  std::vector<report::UnusedTail> made;
  for (const report::UnusedTail& one : to) {
    const auto known = std::find_if(others.begin(), others.end(),
                                    [&](const auto& it) { return it.array == one.array; });
    if (known == others.end()) continue;
    made.push_back({one.array, one.bytes, std::min(one.unused, known->unused)});
  }
  to = std::move(made);
}

void add_findings(std::vector<Finding>& to, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const Finding& one) {
      return one.kind == finding.kind && one.first.place.code == finding.first.place.code &&
             one.second.place.code == finding.second.place.code;
    });
    if (known == to.end()) {
      to.push_back(std::move(finding));
    } else {
      known->join(finding);
    }
  }
}

}  // namespace

void MergedLaunches::add(std::vector<LaunchReport>& launches, LaunchReport launch) {
  const auto [known, is_new] = numbers_.emplace(key_of(launch, alike_), launches.size());
  if (is_new) {
    launches.push_back(std::move(launch));
    return;
  }
  LaunchReport& all = launches[known->second];
  all.launches += launch.launches;
  all.blocks += launch.blocks;
  all.observed_blocks += launch.observed_blocks;
  all.has_heavier_blocks |= launch.has_heavier_blocks;
  all.unlike_blocks += launch.unlike_blocks;
  all.totals += launch.totals;
  all.distinct_global_bytes_loaded += launch.distinct_global_bytes_loaded;
  all.distinct_global_bytes_stored += launch.distinct_global_bytes_stored;
  if (all.arguments.size() < most_arguments) {
    all.arguments.insert(all.arguments.end(), launch.arguments.begin(), launch.arguments.end());
  }
  add_lines(all.lines, launch.lines);
  add_findings(all.findings, launch.findings);
  keep_sure(all.barriers, launch.barriers);
  keep_unused(all.unused_tails, launch.unused_tails);
  if (!launch.trace.steps.empty()) all.trace.ends_early = true;
}

void shorten(report::Report& report) {
  MergedLaunches merged(Alike::blocks);
  std::vector<LaunchReport> launches;
  for (LaunchReport& launch : report.launches) {
    launch.arguments.clear();
    merged.add(launches, std::move(launch));
  }
  report.launches = std::move(launches);
}

}  // namespace tilelab::emulator

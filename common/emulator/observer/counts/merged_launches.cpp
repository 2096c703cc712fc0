#include "emulator/observer/counts/merged_launches.h"

#include <algorithm>
#include <utility>

namespace tilelab::emulator {

using report::Finding;
using report::LaunchReport;
using report::LineCounts;

namespace {

std::string key_of(const LaunchReport& launch) {
  std::string key = launch.kernel + ' ' + std::to_string(launch.function);
  for (const report::Index3& size : {launch.grid, launch.block}) {
    for (const unsigned part : {size.x, size.y, size.z}) key += ' ' + std::to_string(part);
  }
  return key + ' ' + std::to_string(launch.dynamic_shared_bytes);
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

void add_findings(std::vector<Finding>& to, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const Finding& one) {
      return one.kind == finding.kind && one.first.place.code == finding.first.place.code &&
             one.second.place.code == finding.second.place.code;
    });
    if (known == to.end()) {
      to.push_back(std::move(finding));
    } else {
      known->count += finding.count;
    }
  }
}

}  // namespace

void MergedLaunches::add(std::vector<LaunchReport>& launches, LaunchReport launch) {
  const auto [known, is_new] = numbers_.emplace(key_of(launch), launches.size());
  if (is_new) {
    launches.push_back(std::move(launch));
    return;
  }
  LaunchReport& all = launches[known->second];
  all.launches += launch.launches;
  all.blocks += launch.blocks;
  all.observed_blocks += launch.observed_blocks;
  all.totals += launch.totals;
  all.distinct_global_bytes_loaded += launch.distinct_global_bytes_loaded;
  all.distinct_global_bytes_stored += launch.distinct_global_bytes_stored;
  add_lines(all.lines, launch.lines);
  add_findings(all.findings, launch.findings);
}

}  // namespace tilelab::emulator

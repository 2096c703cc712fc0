#include "judge/checks/profile.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "judge/checks/source_text.h"
#include "judge/json.h"
#include "judge/options.h"

namespace tilelab::judge {
namespace {

using report::AccessCounts;
using report::LaunchReport;
using report::LineCounts;
using report::MemoryCounts;

template <class T>
std::string triple(const T& v) {
  std::ostringstream text;
  text << "[" << v.x << ", " << v.y << ", " << v.z << "]";
  return text.str();
}

std::string json(const AccessCounts& counts) {
  std::ostringstream text;
  text << "{\"instructions\": " << counts.instructions << ", \"requests\": " << counts.requests
       << ", \"thread_accesses\": " << counts.thread_accesses
       << ", \"bytes_requested\": " << counts.bytes_requested << ", \"sectors\": " << counts.sectors
       << ", \"wavefronts\": " << counts.wavefronts
       << ", \"bank_conflicts\": " << counts.bank_conflicts() << "}";
  return text.str();
}

/// Without the kinds of access that did not happen.
std::string json(const MemoryCounts& counts) {
  std::string text = "{";
  for (const auto& [name, member] : report::counted_accesses) {
    const AccessCounts& access = counts.*member;
    if (access.thread_accesses == 0) continue;
    text += (text.size() > 1 ? ", " : "") + json_string(name) + ": " + json(access);
  }
  return text + "}";
}

std::string json(const LineCounts& line) {
  std::ostringstream text;
  text << "{\"file\": " << json_string(std::filesystem::path(line.place.file).filename().string())
       << ", \"line\": " << line.place.line
       << ", \"text\": " << json_string(source_line(line.place))
       << ", \"counts\": " << json(line.counts) << "}";
  return text.str();
}

std::string json(const LaunchReport& launch) {
  std::ostringstream text;
  text << "{\"kernel\": " << json_string(launch.kernel) << ", \"grid\": " << triple(launch.grid)
       << ", \"block\": " << triple(launch.block)
       << ", \"shared_bytes\": " << launch.static_shared_bytes + launch.dynamic_shared_bytes
       << ", \"blocks\": " << launch.blocks << ", \"observed_blocks\": " << launch.observed_blocks
       << ", \"distinct_bytes_loaded\": " << launch.distinct_global_bytes_loaded
       << ", \"distinct_bytes_stored\": " << launch.distinct_global_bytes_stored
       << ", \"totals\": " << json(launch.totals) << ", \"lines\": [";
  for (std::size_t i = 0; i < launch.lines.size(); ++i) {
    text << (i > 0 ? ", " : "") << json(launch.lines[i]);
  }
  text << "]}";
  return text.str();
}

}  // namespace

void write_profile(const std::string& call, const Observation& observation) {
  if (options().profile.empty()) return;
  std::ofstream file(options().profile, std::ios::app);
  file << "{\"call\": " << json_string(call) << ", \"input_bytes\": " << observation.input_bytes
       << ", \"output_bytes\": " << observation.output_bytes << ", \"launches\": [";
  const std::vector<LaunchReport>& launches = observation.report.launches;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    file << (i > 0 ? ", " : "") << json(launches[i]);
  }
  file << "]}" << std::endl;
}

}  // namespace tilelab::judge

#include "judge/checks/profile.h"

#include <filesystem>
#include <vector>

#include "judge/checks/source_text.h"
#include "judge/events.h"
#include "judge/options.h"

namespace tilelab::judge {
namespace {

using report::AccessCounts;
using report::LaunchReport;
using report::LineCounts;
using report::MemoryCounts;

template <class T>
std::vector<unsigned> triple(const T& v) {
  return {v.x, v.y, v.z};
}

JsonObject json(const AccessCounts& counts) {
  return JsonObject()
      .add("instructions", counts.instructions)
      .add("requests", counts.requests)
      .add("thread_accesses", counts.thread_accesses)
      .add("bytes_requested", counts.bytes_requested)
      .add("sectors", counts.sectors)
      .add("wavefronts", counts.wavefronts)
      .add("bank_conflicts", counts.bank_conflicts());
}

/// The kinds of access that happened.
JsonObject json(const MemoryCounts& counts) {
  JsonObject object;
  for (const auto& [name, member] : report::counted_accesses) {
    const AccessCounts& access = counts.*member;
    if (access.thread_accesses > 0) object.add(name, json(access));
  }
  return object;
}

JsonObject json(const LineCounts& line) {
  return JsonObject()
      .add("file", std::filesystem::path(line.place.file).filename().string())
      .add("line", line.place.line)
      .add("text", source_line(line.place))
      .add("counts", json(line.counts));
}

}  // namespace

JsonObject launch_json(const LaunchReport& launch) {
  return JsonObject()
      .add("kernel", launch.kernel)
      .add("grid", triple(launch.grid))
      .add("block", triple(launch.block))
      .add("shared_bytes", launch.static_shared_bytes + launch.dynamic_shared_bytes)
      .add("blocks", launch.blocks)
      .add("observed_blocks", launch.observed_blocks)
      .add("distinct_bytes_loaded", launch.distinct_global_bytes_loaded)
      .add("distinct_bytes_stored", launch.distinct_global_bytes_stored)
      .add("totals", json(launch.totals))
      .add("lines", objects_of(launch.lines, json));
}

void write_profile(const std::string& call, const Observation& observation) {
  if (!options().profile) return;
  write_event(event("call")
                  .add("call", call)
                  .add("input_bytes", observation.input_bytes)
                  .add("output_bytes", observation.output_bytes)
                  .add("launches", objects_of(observation.report.launches, launch_json)));
}

}  // namespace tilelab::judge

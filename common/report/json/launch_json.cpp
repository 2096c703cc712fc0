#include "report/json/launch_json.h"

#include <filesystem>
#include <vector>

namespace tilelab::report {
namespace {

std::vector<unsigned> triple(const Index3& v) { return {v.x, v.y, v.z}; }

JsonObject json(const AccessCounts& counts) {
  JsonObject object;
  object.add("instructions", counts.instructions)
      .add("requests", counts.requests)
      .add("thread_accesses", counts.thread_accesses)
      .add("bytes_requested", counts.bytes_requested)
      .add("sectors", counts.sectors)
      .add("wavefronts", counts.wavefronts)
      .add("bank_conflicts", counts.bank_conflicts());
  if (counts.merged_requests > 0) {
    object.add("merged_requests", counts.merged_requests)
        .add("merged_wavefronts", counts.merged_wavefronts)
        .add("merged_bank_conflicts", counts.merged_bank_conflicts());
  }
  return object;
}

/// The kinds of access that happened.
JsonObject json(const MemoryCounts& counts) {
  JsonObject object;
  for (const auto& [name, member] : counted_accesses) {
    const AccessCounts& access = counts.*member;
    if (access.thread_accesses > 0) object.add(name, json(access));
  }
  return object;
}

}  // namespace

JsonObject launch_json(const LaunchReport& launch, std::string (*line)(const SourcePlace&)) {
  std::vector<JsonObject> lines;
  for (const LineCounts& one : launch.lines) {
    lines.push_back(JsonObject()
                        .add("file", std::filesystem::path(one.place.file).filename().string())
                        .add("line", one.place.line)
                        .add("text", line(one.place))
                        .add("counts", json(one.counts)));
  }
  return JsonObject()
      .add("kernel", launch.kernel)
      .add("function", launch.function)
      .add("grid", triple(launch.grid))
      .add("block", triple(launch.block))
      .add("launches", launch.launches)
      .add("shared_bytes", launch.static_shared_bytes + launch.dynamic_shared_bytes)
      .add("dynamic_shared_bytes", launch.dynamic_shared_bytes)
      .add("blocks", launch.blocks)
      .add("observed_blocks", launch.observed_blocks)
      .add("distinct_bytes_loaded", launch.distinct_global_bytes_loaded)
      .add("distinct_bytes_stored", launch.distinct_global_bytes_stored)
      .add("totals", json(launch.totals))
      .add("lines", lines);
}

}  // namespace tilelab::report

#include "report/launch_record.h"

#include <filesystem>
#include <optional>

namespace tilelab::report {
namespace {

schema::Counts record_of(const AccessCounts& counts) {
  const auto if_merged = [&](std::uint64_t count) {
    return counts.merged_requests > 0 ? std::optional(count) : std::nullopt;
  };
  return {
      .instructions = counts.instructions,
      .requests = counts.requests,
      .thread_accesses = counts.thread_accesses,
      .bytes_requested = counts.bytes_requested,
      .sectors = counts.sectors,
      .wavefronts = counts.wavefronts,
      .bank_conflicts = counts.bank_conflicts(),
      .merged_requests = if_merged(counts.merged_requests),
      .merged_wavefronts = if_merged(counts.merged_wavefronts),
      .merged_bank_conflicts = if_merged(counts.merged_bank_conflicts()),
  };
}

schema::CountsByKind record_of(const MemoryCounts& counts) {
  schema::CountsByKind made;
  schema::for_each_field<MemoryCounts>([&](const auto& field) {
    const AccessCounts& access = counts.*field.member;
    if (access.thread_accesses > 0) made.emplace_back(field.name, record_of(access));
  });
  return made;
}

}  // namespace

schema::Triple triple_of(const Index3& v) { return {v.x, v.y, v.z}; }

schema::Launch record_of(const LaunchReport& launch, std::string (*line)(const SourcePlace&)) {
  schema::Launch made{
      .kernel = launch.kernel,
      .function = launch.function,
      .grid = triple_of(launch.grid),
      .block = triple_of(launch.block),
      .launches = launch.launches,
      .shared_bytes = launch.static_shared_bytes + launch.dynamic_shared_bytes,
      .dynamic_shared_bytes = launch.dynamic_shared_bytes,
      .blocks = launch.blocks,
      .observed_blocks = launch.observed_blocks,
      .distinct_bytes_loaded = launch.distinct_global_bytes_loaded,
      .distinct_bytes_stored = launch.distinct_global_bytes_stored,
      .totals = record_of(launch.totals),
      .lines = {},
  };
  for (const LineCounts& one : launch.lines) {
    made.lines.push_back({std::filesystem::path(one.place.file).filename().string(), one.place.line,
                          line(one.place), record_of(one.counts)});
  }
  return made;
}

}  // namespace tilelab::report

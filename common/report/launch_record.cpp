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

std::string file_of(const SourcePlace& place) {
  return std::filesystem::path(place.file).filename().string();
}

// Rows may end with an element of padding, and the last row does not use it.
constexpr std::uint64_t largest_element = 16;

/// What is useless in a launch all of whose blocks were observed.
std::vector<schema::Remark> remarks_on(const LaunchReport& launch) {
  std::vector<schema::Remark> made;
  if (launch.observed_blocks != launch.blocks) return made;
  for (const BarrierUse& it : launch.barriers) {
    if (it.idle != it.times) continue;
    made.push_back({file_of(it.place), it.place.line,
                    "this barrier orders nothing: no thread of its block accesses shared or "
                    "global memory between it and the barrier before or the kernel's begin, or "
                    "none does after it"});
  }
  const auto conflicts =
      launch.totals.shared_loads.bank_conflicts() + launch.totals.shared_stores.bank_conflicts();
  for (const UnusedTail& it : launch.unused_tails) {
    if (conflicts == 0 || it.unused <= largest_element) continue;
    made.push_back({"", 0,
                    "no thread uses the last " + std::to_string(it.unused) + " of the " +
                        std::to_string(it.bytes) + " bytes of " + it.array +
                        ", and there are bank conflicts: if these bytes are padding, the index "
                        "has to skip some after each row"});
  }
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
      .remarks = remarks_on(launch),
  };
  for (const LineCounts& one : launch.lines) {
    made.lines.push_back(
        {file_of(one.place), one.place.line, line(one.place), record_of(one.counts)});
  }
  return made;
}

}  // namespace tilelab::report

#include "judge/checks/picture_records.h"

#include <algorithm>
#include <filesystem>

#include "judge/checks/finding_message.h"
#include "judge/checks/profile.h"
#include "judge/source_text.h"
#include "report/launch_record.h"
#include "report/texts.h"
#include "schema/hexadecimal.h"

namespace tilelab::judge {
namespace {

using report::AccessKind;
using report::Accessor;
using report::CopyStep;
using report::Finding;
using report::LaneAccess;
using report::MemorySpace;
using report::SourcePlace;
using report::TraceStep;

std::string name_of(MemorySpace space) {
  switch (space) {
    case MemorySpace::global:
      return "global";
    case MemorySpace::shared:
      return "shared";
    case MemorySpace::constant:
      return "constant";
    case MemorySpace::local:
      return "local";
    case MemorySpace::host:
      return "host";
  }
  return "unknown";
}

std::string name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    case AccessKind::atomic:
      return "atomic";
  }
  return "unknown";
}

std::string kind_of(const TraceStep& step) {
  switch (step.copy) {
    case CopyStep::none:
      return name_of(step.kind);
    case CopyStep::start:
      return "copy";
    case CopyStep::bulk:
      return "bulk";
    case CopyStep::commit:
      return "commit";
    case CopyStep::wait:
      return "wait";
  }
  return "unknown";
}

std::string hexadecimal(const LaneAccess& access, std::size_t bytes) {
  if (!access.has_value) return "";
  return schema::digits_of(access.value.data(), std::min(bytes, sizeof access.value));
}

/// An element for each lane.
template <class Make>
auto of_lanes(const TraceStep& step, Make&& make) {
  std::vector<decltype(make(step.lanes[0]))> made;
  for (const LaneAccess& access : step.lanes) made.push_back(make(access));
  return made;
}

schema::Step picture_of(const TraceStep& step) {
  schema::Step made;
  made.block = step.block;
  made.place = step.place;
  if (step.is_barrier) {
    made.barrier = true;
    return made;
  }
  made.warp = step.warp;
  made.kind = kind_of(step);
  made.lanes = of_lanes(step, [](const LaneAccess& it) { return it.lane; });
  if (step.copy != CopyStep::none) {
    made.batches = of_lanes(step, [](const LaneAccess& it) { return it.batch; });
  }
  if (step.copy == CopyStep::commit || step.copy == CopyStep::wait) return made;
  made.bytes = step.bytes;
  made.sectors = step.sectors;
  made.wavefronts = step.wavefronts;
  made.ideal = step.ideal_wavefronts;
  made.arrays = of_lanes(step, [](const LaneAccess& it) { return it.array; });
  made.offsets = of_lanes(step, [](const LaneAccess& it) { return it.offset; });
  if (step.kind != AccessKind::load) {
    made.values = of_lanes(step, [&](const LaneAccess& it) { return hexadecimal(it, step.bytes); });
  }
  if (step.copy == CopyStep::none) return made;
  made.from_arrays = of_lanes(step, [](const LaneAccess& it) { return it.from_array; });
  made.from_offsets = of_lanes(step, [](const LaneAccess& it) {
    return it.has_source ? static_cast<std::int64_t>(it.from_offset) : -1;
  });
  return made;
}

schema::Trace picture_of(const report::Trace& trace) {
  const bool is_whole = !trace.ends_early && trace.blocks_every == 1 && trace.warps_every == 1;
  schema::Trace made{.complete = is_whole,
                     .blocks_every = trace.blocks_every,
                     .warps_every = trace.warps_every,
                     .ends_early = trace.ends_early,
                     .arrays = {},
                     .places = {},
                     .steps = {}};
  for (const report::TracedArray& one : trace.arrays) {
    made.arrays.push_back({name_of(one.space), one.name, one.begin, one.bytes});
  }
  for (const SourcePlace& one : trace.places) {
    made.places.push_back({std::filesystem::path(one.file).filename().string(), one.line});
  }
  for (const TraceStep& one : trace.steps) made.steps.push_back(picture_of(one));
  return made;
}

schema::FindingAccess picture_of(const Accessor& accessor) {
  return {accessor.place.line, name_of(accessor.kind), report::triple_of(accessor.block),
          report::triple_of(accessor.thread)};
}

schema::PicturedFinding picture_of(const Finding& finding) {
  schema::PicturedFinding made{
      .kind = std::string(pattern_of(finding)),
      .text = report::text_of(finding, show),
      .note = finding.is_note(),
      .space = name_of(finding.memory.space),
      .name = finding.memory.name,
      .index = finding.memory.index,
      .bytes = finding.memory.bytes,
      .accesses = {},
  };
  if (finding.has_first) made.accesses.push_back(picture_of(finding.first));
  if (finding.has_second) made.accesses.push_back(picture_of(finding.second));
  return made;
}

}  // namespace

schema::PicturedLaunch picture_of(const report::LaunchReport& launch) {
  return {record_of(launch), pictures_of(launch.findings), picture_of(launch.trace)};
}

std::vector<schema::PicturedFinding> pictures_of(const std::vector<Finding>& findings) {
  std::vector<schema::PicturedFinding> made;
  for (const Finding& one : findings) made.push_back(picture_of(one));
  return made;
}

}  // namespace tilelab::judge

#pragma once

#include <type_traits>

#include "report/report.h"

/// The one list of every struct's members, for encoding and decoding alike. An archive is called
/// with the members, which are not const because decoding fills them in.
namespace tilelab::report {

template <class Archive>
void members(Archive& archive, Index3& v) {
  archive(v.x, v.y, v.z);
}
template <class Archive>
void members(Archive& archive, SourcePlace& v) {
  archive(v.code, v.file, v.line);
}
template <class Archive>
void members(Archive& archive, AccessCounts& v) {
  archive(v.instructions, v.requests, v.thread_accesses, v.bytes_requested, v.sectors, v.wavefronts,
          v.ideal_wavefronts, v.merged_requests, v.merged_wavefronts, v.merged_ideal_wavefronts);
}
template <class Archive>
void members(Archive& archive, MemoryCounts& v) {
  for (const CountedAccess& access : counted_accesses) archive(v.*access.counts);
}
template <class Archive>
void members(Archive& archive, LineCounts& v) {
  archive(v.place, v.counts);
}
template <class Archive>
void members(Archive& archive, MemoryPlace& v) {
  archive(v.space, v.name, v.index, v.bytes, v.size, v.is_own);
}
template <class Archive>
void members(Archive& archive, Accessor& v) {
  archive(v.place, v.kind, v.block, v.thread);
}
template <class Archive>
void members(Archive& archive, Finding& v) {
  archive(v.kind, v.kernel, v.memory, v.has_first, v.has_second, v.first, v.second, v.count,
          v.sentence);
}
template <class Archive>
void members(Archive& archive, TracedArray& v) {
  archive(v.space, v.name, v.begin, v.bytes);
}
template <class Archive>
void members(Archive& archive, LaneAccess& v) {
  archive(v.lane, v.array, v.offset, v.has_value, v.value[0], v.value[1]);
}
template <class Archive>
void members(Archive& archive, TraceStep& v) {
  archive(v.is_barrier, v.block, v.place, v.warp, v.kind, v.bytes, v.sectors, v.wavefronts,
          v.ideal_wavefronts, v.lanes);
}
template <class Archive>
void members(Archive& archive, Trace& v) {
  archive(v.is_complete, v.arrays, v.places, v.steps);
}
template <class Archive>
void members(Archive& archive, LaunchReport& v) {
  archive(v.kernel, v.function, v.grid, v.block, v.launches, v.static_shared_bytes,
          v.dynamic_shared_bytes, v.blocks, v.observed_blocks, v.totals,
          v.distinct_global_bytes_loaded, v.distinct_global_bytes_stored, v.lines, v.findings,
          v.trace);
}
template <class Archive>
void members(Archive& archive, Report& v) {
  archive(v.launches, v.findings, v.live_allocations, v.copied_bytes, v.atomic_input_bytes,
          v.constants_hold_copies);
}

/// Whether a value is encoded as its bytes in memory.
template <class T>
constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

}  // namespace tilelab::report

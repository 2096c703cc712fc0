#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/counts.h"
#include "report/finding.h"
#include "report/index3.h"
#include "report/trace.h"
#include "schema/fields.h"

/// What a checked build saw of a submission's kernels, as data: no part of it needs CUDA's runtime
/// or the emulator.
namespace tilelab::report {

/// What a barrier was good for, in all blocks together.
struct BarrierUse {
  SourcePlace place;        ///< Where it is in the source.
  std::uint64_t times = 0;  ///< How often a block passed it.
  std::uint64_t idle = 0;   ///< How often that ordered nothing.
};
TILELAB_FIELDS(BarrierUse, place, times, idle)

/// A static shared array of which the last bytes alone are not used.
struct UnusedTail {
  std::string array;         ///< Its name.
  std::uint64_t bytes = 0;   ///< Its size.
  std::uint64_t unused = 0;  ///< How many of them.
};
TILELAB_FIELDS(UnusedTail, array, bytes, unused)

/// What was seen of one launch, or of several that are alike.
struct LaunchReport {
  std::string kernel;                    ///< The kernel's name as the launch spells it.
  std::uint64_t function = 0;            ///< Its address in the program; 0 if it is not known.
  Index3 grid;                           ///< The size of the grid in blocks.
  Index3 block;                          ///< The size of a block in threads.
  std::uint64_t launches = 1;            ///< How many launches this is about.
  std::size_t static_shared_bytes = 0;   ///< The size of the static arrays that the launch used.
  std::size_t dynamic_shared_bytes = 0;  ///< The size of the dynamic array.
  std::uint64_t blocks = 0;              ///< How many blocks the grid has.
  std::uint64_t observed_blocks = 0;     ///< How many of them were traced.
  /// Whether another one made far more accesses than any of these.
  bool has_heavier_blocks = false;
  /// How many others are known that did what none of these did, and are traced if the same call is
  /// observed again.
  std::uint64_t unlike_blocks = 0;
  MemoryCounts totals;                             ///< The traffic of the traced blocks.
  std::uint64_t distinct_global_bytes_loaded = 0;  ///< Bytes that were loaded at least once.
  /// Bytes that were stored or changed atomically at least once.
  std::uint64_t distinct_global_bytes_stored = 0;
  /// What each launch passes to the kernel: its arguments in hexadecimal digits, with spaces
  /// between them and addresses where estimates have them. Of many launches, the first ones.
  std::vector<std::string> arguments;
  std::vector<LineCounts> lines;         ///< The totals, broken down by instruction.
  std::vector<Finding> findings;         ///< What is wrong in this launch.
  std::vector<BarrierUse> barriers;      ///< Its barriers, if nothing else orders threads.
  std::vector<UnusedTail> unused_tails;  ///< Of its arrays.
  Trace trace;                           ///< Its accesses, if Detail::trace asked for them.
};
TILELAB_FIELDS(LaunchReport, kernel, function, grid, block, launches, static_shared_bytes,
               dynamic_shared_bytes, blocks, observed_blocks, has_heavier_blocks, unlike_blocks,
               totals, distinct_global_bytes_loaded, distinct_global_bytes_stored, arguments, lines,
               findings, barriers, unused_tails, trace)

/// All that was seen.
struct Report {
  std::vector<LaunchReport> launches;  ///< The launches in their order.
  std::vector<Finding> findings;       ///< What is wrong outside of launches.
  std::uint64_t live_allocations = 0;  ///< Allocations made under observation and not freed.
  AccessCounts engine_loads;           ///< What the runtime's copies read of device memory.
  AccessCounts engine_stores;          ///< What its copies and fills wrote there.
  bool constants_hold_copies = false;  ///< Whether device memory went to `__constant__` variables.
};
TILELAB_FIELDS(Report, launches, findings, live_allocations, engine_loads, engine_stores,
               constants_hold_copies)

}  // namespace tilelab::report

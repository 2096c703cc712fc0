#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/fields.h"
#include "schema/map.h"

/// What launches did with memory.
namespace tilelab::schema {

/// The size of a grid or block, or the index of a block or thread: x, y and z.
using Triple = std::array<std::uint32_t, 3>;

/// Accesses of one kind to one memory space, as report::AccessCounts explains them.
struct Counts {
  std::uint64_t instructions = 0;
  std::uint64_t requests = 0;
  std::uint64_t thread_accesses = 0;
  std::uint64_t bytes_requested = 0;
  std::uint64_t sectors = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bank_conflicts = 0;
  // Only of accesses that nvcc may merge.
  std::optional<std::uint64_t> merged_requests;
  std::optional<std::uint64_t> merged_wavefronts;
  std::optional<std::uint64_t> merged_bank_conflicts;
};
TILELAB_FIELDS(Counts, instructions, requests, thread_accesses, bytes_requested, sectors,
               wavefronts, bank_conflicts, merged_requests, merged_wavefronts,
               merged_bank_conflicts)

/// The kinds of access that happened, by name.
using CountsByKind = Map<Counts>;

/// What a line of the source accesses.
struct LineCounts {
  std::string file;
  unsigned line = 0;
  std::string text;  ///< The line itself.
  CountsByKind counts;
};
TILELAB_FIELDS(LineCounts, file, line, text, counts)

/// A remark on a line of the source, which is no mistake. Line 0 is no line.
struct Remark {
  std::string file;
  unsigned line = 0;
  std::string text;
};
TILELAB_FIELDS(Remark, file, line, text)

/// A launch, or several that are alike, as report::LaunchReport explains it.
struct Launch {
  std::string kernel;
  std::uint64_t function = 0;
  Triple grid{};
  Triple block{};
  std::uint64_t launches = 1;
  std::uint64_t shared_bytes = 0;  ///< Of static and dynamic arrays.
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t blocks = 0;
  std::uint64_t observed_blocks = 0;
  std::uint64_t distinct_bytes_loaded = 0;
  std::uint64_t distinct_bytes_stored = 0;
  CountsByKind totals;
  std::vector<LineCounts> lines;
  std::vector<Remark> remarks;
};
TILELAB_FIELDS(Launch, kernel, function, grid, block, launches, shared_bytes, dynamic_shared_bytes,
               blocks, observed_blocks, distinct_bytes_loaded, distinct_bytes_stored, totals, lines,
               remarks)

}  // namespace tilelab::schema

#pragma once

#include <cstdint>

#include "report/places.h"
#include "schema/fields.h"

/// How much memory traffic a kernel causes.
namespace tilelab::report {

/// One kind of access to one memory space. The names are Nsight Compute's.
struct AccessCounts {
  std::uint64_t instructions = 0;  ///< Instructions that warps executed.
  /// Instructions with at least one active lane, which is all of them.
  std::uint64_t requests = 0;
  std::uint64_t thread_accesses = 0;  ///< Accesses of single lanes.
  std::uint64_t bytes_requested = 0;  ///< The bytes that all lanes together asked for.
  std::uint64_t sectors = 0;          ///< Sectors of 32 bytes that were touched; global only.
  /// The bytes that were moved in vain, as costs::wasted_bytes() says; global and constant only.
  std::uint64_t wasted_bytes = 0;
  std::uint64_t wavefronts = 0;  ///< Passes that the requests needed; shared and constant only.
  std::uint64_t ideal_wavefronts = 0;  ///< Passes that they would need without any conflict.

  /// The same three for shared loads and stores if one instruction of 8 or 16 bytes does what the
  /// source does to neighboring words, wherever it could. nvcc decides where it does. Requests
  /// that differ mean that the machine's counts lie somewhere between.
  std::uint64_t merged_requests = 0;
  std::uint64_t merged_wavefronts = 0;        ///< Passes that the merged requests need.
  std::uint64_t merged_ideal_wavefronts = 0;  ///< Passes that they would need without conflicts.

  /// The additional wavefronts that bank conflicts cost.
  std::uint64_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
  /// The same for merged requests.
  std::uint64_t merged_bank_conflicts() const {
    return merged_wavefronts - merged_ideal_wavefronts;
  }
  /// Sectors per request, or 0 if there was no request.
  double sectors_per_request() const {
    return requests > 0 ? static_cast<double>(sectors) / static_cast<double>(requests) : 0.0;
  }
  /// Adds each count.
  AccessCounts& operator+=(const AccessCounts& other);
  /// Compares each count.
  bool operator==(const AccessCounts&) const = default;
};
TILELAB_FIELDS(AccessCounts, instructions, requests, thread_accesses, bytes_requested, sectors,
               wasted_bytes, wavefronts, ideal_wavefronts, merged_requests, merged_wavefronts,
               merged_ideal_wavefronts)

/// Accesses to all memory spaces.
struct MemoryCounts {
  AccessCounts global_loads;    ///< Loads from global memory.
  AccessCounts global_stores;   ///< Stores to global memory.
  AccessCounts global_atomics;  ///< Atomic operations on global memory.
  AccessCounts global_copies;   ///< Those of the loads that asynchronous copies made, not threads.
  AccessCounts atomic_reads;    ///< Those of the atomic operations whose old value may be wanted.
  AccessCounts shared_loads;    ///< Loads from `__shared__` arrays.
  AccessCounts shared_stores;   ///< Stores to `__shared__` arrays.
  AccessCounts shared_atomics;  ///< Atomic operations on `__shared__` arrays.
  /// Those of the stores to `__shared__` arrays that asynchronous copies made, not threads.
  AccessCounts shared_copies;
  AccessCounts constant_loads;  ///< Loads from `__constant__` variables.
  /// What those of the constant loads bring that are not broadcast: the words besides one for all
  /// lanes of a warp, as accesses and bytes.
  AccessCounts constant_words;
  AccessCounts local_loads;   ///< Loads from a thread's stack: local arrays, spilled arguments.
  AccessCounts local_stores;  ///< Stores to a thread's stack.

  /// Adds each count.
  MemoryCounts& operator+=(const MemoryCounts& other);
  /// Compares each count.
  bool operator==(const MemoryCounts&) const = default;
};
TILELAB_FIELDS(MemoryCounts, global_loads, global_stores, global_atomics, global_copies,
               atomic_reads, shared_loads, shared_stores, shared_atomics, shared_copies,
               constant_loads, constant_words, local_loads, local_stores)

inline AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  schema::for_each_field<AccessCounts>(
      [&](const auto& count) { this->*count.member += other.*count.member; });
  return *this;
}

inline MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& other) {
  schema::for_each_field<MemoryCounts>(
      [&](const auto& access) { this->*access.member += other.*access.member; });
  return *this;
}

/// The traffic of one instruction that touches memory. A line can have several.
struct LineCounts {
  SourcePlace place;    ///< Where the instruction is.
  MemoryCounts counts;  ///< What it did in the traced blocks.
};
TILELAB_FIELDS(LineCounts, place, counts)

}  // namespace tilelab::report

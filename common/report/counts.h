#pragma once

#include <cstdint>
#include <iterator>

#include "report/places.h"

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

/// Accesses to all memory spaces.
struct MemoryCounts {
  AccessCounts global_loads;    ///< Loads from global memory.
  AccessCounts global_stores;   ///< Stores to global memory.
  AccessCounts global_atomics;  ///< Atomic operations on global memory.
  AccessCounts shared_loads;    ///< Loads from `__shared__` arrays.
  AccessCounts shared_stores;   ///< Stores to `__shared__` arrays.
  AccessCounts shared_atomics;  ///< Atomic operations on `__shared__` arrays.
  /// Those of the stores to `__shared__` arrays that asynchronous copies made, not threads.
  AccessCounts shared_copies;
  AccessCounts constant_loads;  ///< Loads from `__constant__` variables.
  AccessCounts local_loads;     ///< Loads from a thread's stack: local arrays, spilled arguments.
  AccessCounts local_stores;    ///< Stores to a thread's stack.

  /// Adds each count.
  MemoryCounts& operator+=(const MemoryCounts& other);
  /// Compares each count.
  bool operator==(const MemoryCounts&) const = default;
};

inline AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  instructions += other.instructions;
  requests += other.requests;
  thread_accesses += other.thread_accesses;
  bytes_requested += other.bytes_requested;
  sectors += other.sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  merged_requests += other.merged_requests;
  merged_wavefronts += other.merged_wavefronts;
  merged_ideal_wavefronts += other.merged_ideal_wavefronts;
  return *this;
}

/// One of the members of MemoryCounts.
struct CountedAccess {
  const char* name;                    ///< The member's name.
  AccessCounts MemoryCounts::*counts;  ///< The member itself.
};

/// All members of MemoryCounts.
inline constexpr CountedAccess counted_accesses[] = {
    {"global_loads", &MemoryCounts::global_loads},
    {"global_stores", &MemoryCounts::global_stores},
    {"global_atomics", &MemoryCounts::global_atomics},
    {"shared_loads", &MemoryCounts::shared_loads},
    {"shared_stores", &MemoryCounts::shared_stores},
    {"shared_atomics", &MemoryCounts::shared_atomics},
    {"shared_copies", &MemoryCounts::shared_copies},
    {"constant_loads", &MemoryCounts::constant_loads},
    {"local_loads", &MemoryCounts::local_loads},
    {"local_stores", &MemoryCounts::local_stores},
};
static_assert(sizeof(MemoryCounts) == std::size(counted_accesses) * sizeof(AccessCounts));

inline MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& other) {
  for (const CountedAccess& access : counted_accesses) this->*access.counts += other.*access.counts;
  return *this;
}

/// The traffic of one instruction that touches memory. A line can have several.
struct LineCounts {
  SourcePlace place;    ///< Where the instruction is.
  MemoryCounts counts;  ///< What it did in the traced blocks.
};

}  // namespace tilelab::report

#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "contract/detail.h"
#include "vector_types.h"

/// What a checked build saw of a submission's kernels. Link `tilelab_observer` and an object made
/// by `compile.sh --checked`; in a process without them there is nothing to observe.
namespace tilelab::emulator {

/// How much to watch, and where.
struct ObserverOptions {
  Detail detail = Detail::everything;  ///< the less, the faster
  /// How many blocks of a launch to trace: the first, the last and some in between. 0 = all.
  std::uint64_t block_limit = 0;
  std::uint64_t seed = 0;  ///< chooses the blocks in between
};

/// The launches that follow are observed, until take_report(). Until then host code of the
/// submission may write its own memory only: call this in the function that calls the submission,
/// because the stack below belongs to the submission from now on.
void start_observing(const ObserverOptions& options);

/// Lets findings say `name[index]` where an address lies in the array. Forgotten with its memory.
/// @param pointer        into an allocation; where index 0 lies
/// @param name           of the array
/// @param element_bytes  by which an index counts
/// @param elements       if not 0, kernels may use these elements only, and nothing else of the
///                       allocation
void name_allocation(const void* pointer, const char* name, std::size_t element_bytes,
                     std::size_t elements = 0);

/// A place in the source. The observer knows the address of the machine code, as `addr2line` wants
/// it for the executable; SourceLines (observer/source_lines.h) looks up the rest, in a process
/// that may run programs.
struct SourcePlace {
  std::uint64_t code = 0;  ///< 0: file and line are known already
  std::string file;        ///< "" until looked up
  unsigned line = 0;       ///< 0 until looked up
};

/// One kind of access to one memory space. Names are Nsight Compute's.
struct AccessCounts {
  std::uint64_t instructions = 0;      ///< of warps
  std::uint64_t requests = 0;          ///< instructions with at least one active lane: all of them
  std::uint64_t thread_accesses = 0;   ///< of lanes
  std::uint64_t bytes_requested = 0;   ///< sum over lanes
  std::uint64_t sectors = 0;           ///< of 32 bytes; global only
  std::uint64_t wavefronts = 0;        ///< shared and constant only
  std::uint64_t ideal_wavefronts = 0;  ///< what the same requests need without any conflict

  /// Wavefronts that conflicts cost.
  std::uint64_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
  /// 0 without a request.
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
  AccessCounts global_loads;    ///< from arrays of device memory
  AccessCounts global_stores;   ///< to them
  AccessCounts global_atomics;  ///< on them
  AccessCounts shared_loads;    ///< from `__shared__` arrays
  AccessCounts shared_stores;   ///< to them
  AccessCounts shared_atomics;  ///< on them
  AccessCounts constant_loads;  ///< from `__constant__` variables
  AccessCounts local_loads;     ///< from arrays on a thread's stack, and of spilled arguments
  AccessCounts local_stores;    ///< to them

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
  return *this;
}

/// One of the members of MemoryCounts.
struct CountedAccess {
  const char* name;                    ///< the member's
  AccessCounts MemoryCounts::*counts;  ///< the member
};

/// All members of MemoryCounts.
inline constexpr CountedAccess counted_accesses[] = {
    {"global_loads", &MemoryCounts::global_loads},
    {"global_stores", &MemoryCounts::global_stores},
    {"global_atomics", &MemoryCounts::global_atomics},
    {"shared_loads", &MemoryCounts::shared_loads},
    {"shared_stores", &MemoryCounts::shared_stores},
    {"shared_atomics", &MemoryCounts::shared_atomics},
    {"constant_loads", &MemoryCounts::constant_loads},
    {"local_loads", &MemoryCounts::local_loads},
    {"local_stores", &MemoryCounts::local_stores},
};
static_assert(sizeof(MemoryCounts) == std::size(counted_accesses) * sizeof(AccessCounts));

inline MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& other) {
  for (const CountedAccess& access : counted_accesses) this->*access.counts += other.*access.counts;
  return *this;
}

/// One instruction that touches memory; a line can have several.
struct LineCounts {
  SourcePlace place;    ///< of the instruction
  MemoryCounts counts;  ///< of the observed blocks
};

/// The memory that an address belongs to.
enum class MemorySpace { global, shared, constant, local, host };

/// Where in memory, as far as it can be named.
struct MemoryPlace {
  MemorySpace space = MemorySpace::global;  ///< what `index` is relative to without a name
  std::string name;                         ///< of the array; "" if unknown
  std::int64_t index = 0;    ///< element of the named array; else bytes into the memory space
  unsigned bytes = 0;        ///< accessed
  std::string text() const;  ///< "tile[3]", "shared memory + 64", ...
};

/// What an access does.
enum class AccessKind { load, store, atomic };

/// One side of a finding.
struct Accessor {
  SourcePlace place;                   ///< of the access
  AccessKind kind = AccessKind::load;  ///< what it does
  uint3 block{};                       ///< `blockIdx` of who does it
  uint3 thread{};                      ///< `threadIdx` of who does it
};

/// What can be wrong.
enum class FindingKind {
  race,                ///< two threads, no order between them, at least one plain write
  same_value_race,     ///< a note: both write the same value
  uninitialized_read,  ///< of memory that nobody wrote
  out_of_bounds,       ///< the launch ends before the access
  use_after_free,      ///< the launch ends before the access
  misaligned,          ///< the launch ends before the access
  host_pointer,        ///< a kernel uses memory of the host; the launch ends before the access
  constant_write,      ///< a kernel writes constant memory; the launch ends before the access
  forbidden_write,     ///< host code writes what is not the submission's
  divergent_barrier,   ///< some threads of a block come to a barrier, others have ended
  deadlock,            ///< lanes or threads that others wait for never come
  failed_launch,       ///< of too many threads, for example: the kernel never starts
  fault,               ///< any other end of a kernel
  leak                 ///< device memory that was allocated and not freed
};

/// One thing that is wrong, reported once per kind and pair of places.
struct Finding {
  FindingKind kind{};       ///< what is wrong
  std::string kernel;       ///< as its launch spells it
  MemoryPlace memory;       ///< of kinds that are about an address
  bool has_first = false;   ///< whether `first` says anything
  bool has_second = false;  ///< whether `second` says anything
  Accessor first;           ///< who did it
  Accessor second;          ///< of a race: the other one, in the program's order
  std::uint64_t count = 1;  ///< how often it was seen
  std::string sentence;     ///< of kinds that the runtime explains itself

  /// Whether it is no mistake, but worth a look.
  bool is_note() const { return kind == FindingKind::same_value_race; }
};

/// What was seen of one launch.
struct LaunchReport {
  std::string kernel;                              ///< as the launch spells it
  dim3 grid;                                       ///< in blocks
  dim3 block;                                      ///< in threads
  std::size_t static_shared_bytes = 0;             ///< of the static arrays that the launch used
  std::size_t dynamic_shared_bytes = 0;            ///< as launched
  std::uint64_t blocks = 0;                        ///< of the grid
  std::uint64_t observed_blocks = 0;               ///< ObserverOptions::block_limit of them at most
  MemoryCounts totals;                             ///< of the observed blocks
  std::uint64_t distinct_global_bytes_loaded = 0;  ///< each byte once
  std::uint64_t distinct_global_bytes_stored = 0;  ///< atomics included
  std::vector<LineCounts> lines;                   ///< the totals, by instruction
  std::vector<Finding> findings;                   ///< what is wrong in it
};

/// All that was seen.
struct Report {
  std::vector<LaunchReport> launches;  ///< in their order
  std::vector<Finding> findings;       ///< outside of launches
  std::uint64_t live_allocations = 0;  ///< made while observing, and not freed
};

/// What was seen since start_observing(). Ends the observation.
Report take_report();

}  // namespace tilelab::emulator

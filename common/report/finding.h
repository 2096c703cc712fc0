#pragma once

#include <cstdint>
#include <string>

#include "report/access.h"
#include "report/places.h"
#include "vector_types.h"

/// What is wrong with a kernel.
namespace tilelab::report {

/// What can be wrong.
enum class FindingKind {
  data_race,  ///< Two threads access one place in no order, and one of them writes plainly.
  same_value_data_race,  ///< A note: two threads write the same value to one place in no order.
  uninitialized_read,    ///< A thread reads memory that nobody wrote.
  out_of_bounds,         ///< An access outside of every array; the launch ends before it.
  index_out_of_bounds,   ///< An index that a row or member does not have; the launch goes on.
  use_after_free,        ///< An access to memory that was freed; the launch ends before it.
  misaligned,            ///< An access at a misaligned address; the launch ends before it.
  host_pointer,          ///< A kernel accesses memory of the host; the launch ends before it.
  constant_write,        ///< A kernel writes constant memory; the launch ends before it.
  forbidden_write,       ///< Host code writes memory that does not belong to the submission.
  divergent_barrier,     ///< Threads of one block wait at different barriers.
  passed_barrier,        ///< A thread goes past a barrier at which others of its warp wait.
  skipped_barrier,    ///< A note: threads end before a barrier at which others of their block wait.
  undefined_shuffle,  ///< A shuffle gets the value of a lane that does not take part.
  stream_race,        ///< Work of two streams uses one place in no order.
  absent_block,       ///< An access to the shared memory of a block that may not be there.
  deadlock,           ///< Threads wait for others that never come.
  failed_launch,      ///< The kernel never starts: it has too many threads, for example.
  fault,              ///< The kernel ends in any other way.
  leak                ///< Device memory was allocated and not freed.
};

/// Whether the two are the same block or thread.
inline bool is_same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// One side of a finding.
struct Accessor {
  SourcePlace place;                   ///< Where the access is in the source.
  AccessKind kind = AccessKind::load;  ///< What the access does.
  uint3 block{};                       ///< `blockIdx` of the thread.
  uint3 thread{};                      ///< `threadIdx` of the thread.
};

/// One thing that is wrong. It is reported once per kind and pair of places.
struct Finding {
  FindingKind kind{};       ///< What is wrong.
  std::string kernel;       ///< The kernel's name as its launch spells it.
  MemoryPlace memory;       ///< The place in memory, for kinds that are about one.
  bool has_first = false;   ///< Whether `first` is filled in.
  bool has_second = false;  ///< Whether `second` is filled in.
  Accessor first;           ///< The thread that made the access.
  Accessor second;          ///< The other thread of a data race, in the order of the source.
  std::uint64_t count = 1;  ///< How often it was seen.
  /// The runtime's own explanation, for kinds that have one, and for races with asynchronous
  /// copies.
  std::string sentence;

  /// Whether it is worth a look, but no mistake.
  bool is_note() const {
    return kind == FindingKind::same_value_data_race || kind == FindingKind::skipped_barrier;
  }
};

}  // namespace tilelab::report

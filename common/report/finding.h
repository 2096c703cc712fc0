#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/access.h"
#include "report/finding_kinds.h"
#include "report/index3.h"
#include "report/places.h"
#include "schema/fields.h"

/// What is wrong with a kernel.
namespace tilelab::report {

/// One side of a finding.
struct Accessor {
  SourcePlace place;                   ///< Where the access is in the source.
  AccessKind kind = AccessKind::load;  ///< What the access does.
  Index3 block;                        ///< `blockIdx` of the thread.
  Index3 thread;                       ///< `threadIdx` of the thread.
};
TILELAB_FIELDS(Accessor, place, kind, block, thread)

/// One thing that is wrong. It is reported once per kind and pair of places.
struct Finding {
  FindingKind kind{};       ///< What is wrong.
  std::string kernel;       ///< The kernel's name as its launch spells it.
  MemoryPlace memory;       ///< The place in memory, for kinds that are about one.
  bool has_first = false;   ///< Whether `first` is filled in.
  bool has_second = false;  ///< Whether `second` is filled in.
  Accessor first;           ///< The thread that made the access.
  Accessor second;          ///< The other thread of a data race, in the order of the source.
  bool in_warp = false;     ///< Whether both threads were of one warp whenever it was seen.
  /// Of a data race: whether an instruction on one side writes the place in several threads.
  bool has_many_writers = false;
  std::uint64_t count = 1;  ///< How often it was seen.
  /// The runtime's own explanation, for kinds that have one, and for races with asynchronous
  /// copies. Of a leak, the kind of memory.
  std::string sentence;
  /// Where the functions of the host were that led to it, the innermost first, as `addr2line`
  /// expects it. For leaks and copies, and for calls that fail because of what happened there.
  std::vector<std::uint64_t> callers;
  std::vector<std::uint64_t> other_callers;  ///< The same of the other of two calls.
  std::vector<SourcePlace> launches;         ///< Where kernels of different streams were launched.

  /// Whether it is worth a look, but no mistake.
  bool is_note() const {
    const Severity severity = row_of(kind).severity;
    return severity == Severity::note || severity == Severity::warning;
  }

  /// Adds what was seen when the same was found again.
  void join(const Finding& other) {
    in_warp = in_warp && other.in_warp;
    has_many_writers = has_many_writers || other.has_many_writers;
    count += other.count;
    if (kind == FindingKind::leak) join_sizes(other.memory);
  }

 private:
  /// Of leaks, which are as many arrays as their `count` says: `size` is how many bytes all of them
  /// have, `bytes` how many each of them has, 0 if they differ.
  void join_sizes(const MemoryPlace& other) {
    memory.size += other.size;
    if (memory.bytes != other.bytes) memory.bytes = 0;
  }
};
TILELAB_FIELDS(Finding, kind, kernel, memory, has_first, has_second, first, second, in_warp,
               has_many_writers, count, sentence, callers, other_callers, launches)

}  // namespace tilelab::report

#pragma once

#include <string>
#include <vector>

#include "device_array.h"

/// Kernels with and without a mistake, mostly in pairs, each with what a detector must say about
/// it.
///
/// A case is a namespace with a kernel and a function `run` that allocates, launches, synchronizes
/// and frees. The lines that a finding must name end in the comments `A` and `B`; one line may be
/// both. What a fault-free run must compute is not checked here.
namespace tilelab::detector {

enum class Finding {
  none,               ///< Nothing must be reported.
  note_same_value,    ///< Threads write the same value to one place: a note, not an error.
  shared_race,        ///< A and B touch one place in shared memory in no order, and one writes.
  global_race,        ///< The same in global memory.
  out_of_bounds,      ///< A touches memory that is not allocated.
  misaligned,         ///< A touches an address that is not a multiple of the access's size.
  uninitialized,      ///< A reads memory that nobody has written.
  divergent_barrier,  ///< threads of a block wait at different barriers: at A; at B, or past the
                      ///< end
  undefined_shuffle,  ///< At A, a shuffle gets the value of a lane that does not take part.
  missing_lane,       ///< At A, a warp operation's mask includes lanes that do not come.
  misused_barrier,    ///< At A, a barrier in shared memory is used in a way that it must not.
  absent_block,       ///< A accesses the shared memory of a block that may not be there.
  stream_race,        ///< A and B touch one place, in kernels of two streams that nothing orders.
  copy_race,          ///< A touches what a copy or a fill of another stream touches.
  note_branch_mask,   ///< At A, lanes in a branch take the mask from __activemask(): a note.
  early_read,         ///< At B, host code reads what A writes, and did not wait for it.
  host_object,        ///< At A, a virtual function of an object that host code made is called.
  leak                ///< Device memory is not freed.
};

/// What a file says of a case.
struct Entry {
  const char* name;
  Finding expected;
  const char* file;
  void (*run)();
  /// Why one may see it differently; "" if there is no doubt. Tests do not check debatable cases.
  const char* debatable;
};

struct Case : Entry {
  int line_a = 0;  ///< 0 if the finding has no such line.
  int line_b = 0;  ///< The same as line_a if A and B are one line.
};

const char* name_of(Finding finding);

/// All cases that were linked into the program, in the order of their names.
const std::vector<Case>& cases();

/// What every case does after its launches.
inline void finish() { cudaDeviceSynchronize(); }

/// 0, 1, 2, ...: data that make each thread's value its own.
inline std::vector<int> ascending(int count) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i;
  return values;
}

}  // namespace tilelab::detector

/// Adds the namespace `name` as a case. The linker makes the list, because nothing runs before main
/// in a checked build.
#define DETECTOR_CASE(name, finding) DEBATABLE_CASE(name, finding, "")
#define DEBATABLE_CASE(name, finding, reason)                                               \
  const tilelab::detector::Entry name##_case = {#name, tilelab::detector::Finding::finding, \
                                                __FILE__, name::run, reason};               \
  __attribute__((section("detector_cases"), used))                                          \
  const tilelab::detector::Entry* const name##_entry = &name##_case

#pragma once

#include "report/places.h"

/// The kinds of findings.
namespace tilelab::report {

/// What can be wrong. Each kind has a row in finding_kinds.cpp.
enum class FindingKind {
  data_race,  ///< Two threads access one place in no order, and one of them writes plainly.
  same_value_data_race,  ///< A note: two threads write the same value to one place in no order.
  uninitialized_read,    ///< A thread reads memory that nobody wrote.
  out_of_bounds,         ///< An access outside of every array; the launch ends before it.
  index_out_of_bounds,   ///< An index that a row or member does not have; the launch goes on.
  use_after_free,        ///< An access to memory that was freed; the launch ends before it.
  wrong_free,            ///< A kernel frees what it may not free; the launch ends before it.
  misaligned,            ///< An access at a misaligned address; the launch ends before it.
  host_pointer,          ///< A kernel accesses memory of the host; the launch ends before it.
  host_address,     ///< A kernel uses the address of a constant variable that host code gave it.
  host_object,      ///< A kernel calls a virtual function of an object that host code made.
  constant_write,   ///< A kernel writes constant memory; the launch ends before it.
  input_write,      ///< The submission writes an array that it may only read.
  forbidden_write,  ///< Host code writes memory that does not belong to the submission.
  host_use_after_free,  ///< Host code accesses memory that was freed.
  host_out_of_bounds,   ///< Host code goes past the end of memory that it shares with kernels.
  device_pointer,       ///< Host code accesses memory of the device.
  divergent_barrier,    ///< Threads of one block wait at different barriers.
  passed_barrier,       ///< A thread goes past a barrier at which others of its warp wait.
  skipped_barrier,    ///< A note: threads end before a barrier at which others of their block wait.
  undefined_shuffle,  ///< A shuffle gets the value of a lane that does not take part.
  branch_mask,        ///< A note: in a branch, __activemask() says which lanes take part.
  stream_race,        ///< Work of two streams uses one place in no order.
  graph_race,         ///< The same of two nodes of a graph.
  caller_race,        ///< The same of a submission's stream and its caller's, the default one.
  early_read,         ///< Host code reads what work of a stream writes, and did not wait for it.
  early_write,        ///< Host code writes what work of a stream uses, and did not wait for it.
  early_free,         ///< Host code frees what work of a stream uses, and did not wait for it.
  freed_twice,        ///< Host code frees memory that it has freed before.
  absent_block,       ///< An access to the shared memory of a block that may not be there.
  deadlock,           ///< Threads wait for others that never come.
  cut_off,            ///< A note: the program ended while a kernel ran.
  failed_launch,      ///< The kernel never starts: it has too many threads, for example.
  known_failed_launch,  ///< A note: the same in a program that has asked for the error.
  fault,                ///< The kernel ends in any other way.
  unwritten_copy,       ///< The runtime copies device memory that nobody wrote.
  unchecked_error,      ///< A call of the runtime failed, and nobody asked for the error.
  leak                  ///< Device memory was allocated and not freed.
};

/// How bad it is.
enum class Severity {
  mistake,  ///< It has to be repaired.
  untidy,   ///< It is a mistake in a function, but not in a program: its end puts it right.
  warning,  ///< It is undefined, but does no harm on today's GPUs. A lab can ask for more.
  note      ///< It is worth a look, but no mistake.
};

/// What is said at a line of the source.
struct LineWords {
  const char* word = "{array}";  ///< The word of the line that it is about.
  const char* says = "{act}";    ///< What happens there.
};

/// Other words for some of the places that a kind can be about.
struct SpecialPlace {
  bool (*holds)(const MemoryPlace&) = nullptr;  ///< Whether the place is one of them.
  const char* pattern = nullptr;                ///< Replaces the kind's pattern.
  const char* summary = nullptr;                ///< Replaces the kind's summary.
};

/// All that is said of one kind of finding: "name: words: advice." Names in braces stand for what
/// the finding knows; texts.cpp lists them.
struct KindOfFinding {
  FindingKind kind;         ///< The kind.
  Severity severity;        ///< How bad it is.
  const char* pattern;      ///< A lab keeps its hint under this name.
  const char* name;         ///< What the sentence begins with.
  const char* words;        ///< What happens.
  const char* advice = "";  ///< What to do about it, or to know.
  /// The sentence if the lines say which threads are meant; null if it is the same without places.
  const char* summary = nullptr;
  LineWords first{};          ///< Said at the line of the first thread.
  LineWords second{};         ///< Said at the line of the second one.
  SpecialPlace special{};     ///< The places for which there are other words.
  bool is_symmetric = false;  ///< Whether the order of the threads decides which is the first.
  bool ends_launch = false;   ///< Whether a fault follows, which it explains.
};

/// The row of a kind. A kind that there is not, which only a forged report has, is a fault.
const KindOfFinding& row_of(FindingKind kind);

}  // namespace tilelab::report

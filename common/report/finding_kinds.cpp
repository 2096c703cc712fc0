#include "report/finding_kinds.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace tilelab::report {
namespace {

constexpr const char* barrier = "__syncthreads";

bool is_shared(const MemoryPlace& place) { return place.space == MemorySpace::shared; }
bool is_own(const MemoryPlace& place) { return place.is_own; }

constexpr KindOfFinding rows[] = {
    {.kind = FindingKind::data_race,
     .severity = Severity::mistake,
     .pattern = "data_race",
     .name = "Data race",
     .words = "{race}",
     .advice = "{race_advice}",
     .summary = "Data race{race_in_short}.",
     .is_symmetric = true},
    {.kind = FindingKind::same_value_data_race,
     .severity = Severity::note,
     .pattern = "fault",
     .name = "Note",
     .words = "{race}. Both store the same value",
     .is_symmetric = true},
    {.kind = FindingKind::uninitialized_read,
     .severity = Severity::mistake,
     .pattern = "uninitialized_read",
     .name = "Uninitialized read",
     .words = "{act}{here}, before anything was written there",
     .summary = "Uninitialized read: a thread reads {memory}, where nothing was written before.",
     // An array is filled by a copy, a slot of a tile by a thread.
     .special = {is_own, "uninitialized_array",
                 "Uninitialized read: a thread reads memory from cudaMalloc() that nothing was "
                 "written to. Copy or compute the data there first."}},
    {.kind = FindingKind::out_of_bounds,
     .severity = Severity::mistake,
     .pattern = "out_of_bounds",
     .name = "Out of bounds",
     .words = "{act}{here}{bounds}",
     .special = {is_shared, "shared_out_of_bounds"},
     .ends_launch = true},
    {.kind = FindingKind::index_out_of_bounds,
     .severity = Severity::mistake,
     .pattern = "out_of_bounds",
     .name = "Out of bounds",
     .words = "{thread} uses index {index} of a row or member with {size} elements ({array}){here}",
     .first = {"", "{thread} uses this index"}},
    {.kind = FindingKind::use_after_free,
     .severity = Severity::mistake,
     .pattern = "use_after_free",
     .name = "Use after free",
     .words = "{act}{here}, after it was freed",
     .ends_launch = true},
    {.kind = FindingKind::misaligned,
     .severity = Severity::mistake,
     .pattern = "misaligned",
     .name = "Misaligned",
     .words = "{act}{here}",
     .advice = "the address must be a multiple of {bytes}",
     .ends_launch = true},
    {.kind = FindingKind::host_pointer,
     .severity = Severity::mistake,
     .pattern = "host_pointer",
     .name = "Host pointer",
     .words = "{act}{here}",
     .advice = "give the kernel a pointer from cudaMalloc()",
     .ends_launch = true},
    {.kind = FindingKind::host_address,
     .severity = Severity::mistake,
     .pattern = "host_pointer",
     .name = "Host pointer",
     .words = "{act}{here}, through the address that the variable has in host code",
     .advice = "use the variable's name in the kernel, or pass what cudaGetSymbolAddress() tells",
     .ends_launch = true},
    {.kind = FindingKind::host_object,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Host object",
     .words = "{thread} calls a virtual function{here} of an object that host code made ({array}), "
              "through the host's table of functions",
     .advice = "make the object in a kernel",
     .first = {"", "{thread} calls a virtual function here"}},
    {.kind = FindingKind::constant_write,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Write to constant memory",
     .words = "{act}{here}. Kernels can only read it",
     .ends_launch = true},
    {.kind = FindingKind::forbidden_write,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Forbidden write",
     .words = "host code writes memory that does not belong to it{here}"},
    {.kind = FindingKind::divergent_barrier,
     .severity = Severity::mistake,
     .pattern = "divergent_barrier",
     .name = "Divergent barrier",
     .words = "{thread} waits at __syncthreads(){here}, but thread {other} waits at a different "
              "one{there}",
     .advice = "all threads of a block must reach the same one",
     .first = {barrier, "{thread} waits here"},
     .second = {barrier, "{thread} waits here"},
     .ends_launch = true},
    {.kind = FindingKind::passed_barrier,
     .severity = Severity::mistake,
     .pattern = "divergent_barrier",
     .name = "Divergent barrier",
     .words = "{thread} goes on{here} without the __syncthreads(){there}, at which other threads "
              "of its warp wait",
     .advice = "all threads of a block must reach it",
     .first = {"", "{thread} goes on here"},
     .second = {barrier, "other threads of its warp wait here"}},
    {.kind = FindingKind::skipped_barrier,
     .severity = Severity::warning,
     .pattern = "divergent_barrier",
     .name = "Warning",
     .words = "{index} of {bytes} threads of block {block} skip the __syncthreads(){here} and end. "
              "Today's GPUs do not wait for them, but CUDA leaves it undefined",
     .advice = "let every thread of the block reach the barrier",
     .first = {barrier, "not every thread gets here"}},
    {.kind = FindingKind::undefined_shuffle,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Undefined shuffle",
     .words = "{thread} shuffles{here}, and gets the value of {array}: what it gets is undefined",
     .first = {"__shfl", "{thread} shuffles here"}},
    {.kind = FindingKind::branch_mask,
     .severity = Severity::note,
     .pattern = "fault",
     .name = "Note",
     .words = "{thread} calls {array}{here} with a mask from __activemask(), which names the lanes "
              "that happen to run together, and perhaps not all that take the branch",
     .advice = "make the mask with __ballot_sync() before the branch",
     .first = {"_sync", "the mask is from __activemask()"}},
    {.kind = FindingKind::stream_race,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Unordered streams",
     .words = "{streams} in another stream, with no event or synchronization between the two"},
    {.kind = FindingKind::graph_race,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Unordered graph nodes",
     .words = "{streams} in another node of the graph, with no path of edges between the two"},
    {.kind = FindingKind::absent_block,
     .severity = Severity::mistake,
     .pattern = "absent_block",
     .name = "Absent block",
     .words = "{act}{here}, but {sentence}",
     .summary = "Absent block: a thread accesses {memory}, but {sentence}."},
    {.kind = FindingKind::deadlock,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Deadlock",
     .words = "{sentence}"},
    {.kind = FindingKind::failed_launch,
     .severity = Severity::mistake,
     .pattern = "launch_failed",
     .name = "Failed launch of {kernel}{here}",
     .words = "{sentence}",
     .first = {"<<<", "this launch"}},
    {.kind = FindingKind::fault,
     .severity = Severity::mistake,
     .pattern = "fault",
     .name = "Fault",
     .words = "{sentence}"},
    {.kind = FindingKind::unwritten_copy,
     .severity = Severity::mistake,
     .pattern = "uninitialized_read",
     .name = "Unwritten results",
     .words = "a copy reads {memory}, before anything was written there: {sentence}"},
    {.kind = FindingKind::unchecked_error,
     .severity = Severity::mistake,
     .pattern = "unchecked_error",
     .name = "Unchecked error",
     .words = "the call{here} returns {sentence}, and nobody asks for the error",
     .first = {"cuda", "this call fails"}},
    {.kind = FindingKind::leak,
     .severity = Severity::untidy,
     .pattern = "leak",
     .name = "Memory leak",
     .words = "{bytes} bytes of device memory were never freed"},
};

/// The row of a kind is at the place that its number names.
constexpr bool are_in_order() {
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    if (rows[i].kind != static_cast<FindingKind>(i)) return false;
  }
  return std::size(rows) == static_cast<std::size_t>(FindingKind::leak) + 1;
}
static_assert(are_in_order(), "the rows follow each other like the kinds");

}  // namespace

const KindOfFinding& row_of(FindingKind kind) {
  const auto number = static_cast<std::size_t>(kind);
  return number < std::size(rows) ? rows[number]
                                  : rows[static_cast<std::size_t>(FindingKind::fault)];
}

}  // namespace tilelab::report
